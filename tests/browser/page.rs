//! A page in the browser: looked at, measured, and kept as a picture.

use std::fs;
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use headless_chrome::Tab;
use headless_chrome::protocol::cdp::types::Event;
use headless_chrome::protocol::cdp::{Emulation, Log, Network, Page as Cdp, Runtime};
use serde_json::Value;

use crate::desk::root;

/// How long to wait for what is on its way.
const PATIENCE: Duration = Duration::from_mins(1);

/// axe-core, which finds what keeps people from using a page; below the root.
/// `tests/browser/run` installs it.
const AXE: &str = "target/browser/node_modules/axe-core/axe.min.js";

/// The width of a telephone, in pixels.
pub(crate) const TELEPHONE: u32 = 360;

/// A screen that a page is looked at on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Screen {
    pub(crate) width: u32,
    pub(crate) is_dark: bool,
}

impl Screen {
    /// A telephone and a desk, by day and by night.
    pub(crate) const ALL: [Screen; 4] = [
        Screen::new(TELEPHONE, false),
        Screen::new(TELEPHONE, true),
        Screen::new(1280, false),
        Screen::new(1280, true),
    ];

    pub(crate) const fn new(width: u32, is_dark: bool) -> Screen {
        Screen { width, is_dark }
    }

    /// `360-dark`.
    pub(crate) fn name(self) -> String {
        let scheme = if self.is_dark { "dark" } else { "light" };
        format!("{}-{scheme}", self.width)
    }
}

/// What a page has done.
#[derive(Default)]
struct Doings {
    /// The addresses it asked for.
    requests: Vec<String>,
    /// Errors and warnings, and whatever it writes to the console.
    console: Vec<String>,
}

/// A page in a tab of its own.
pub(crate) struct Page {
    pub(crate) tab: Arc<Tab>,
    doings: Arc<Mutex<Doings>>,
}

impl Drop for Page {
    fn drop(&mut self) {
        let _ = self.tab.close_target();
    }
}

impl Page {
    /// Opens a file and waits until it is loaded.
    pub(crate) fn open(tab: Arc<Tab>, file: &Path) -> Page {
        let doings = Arc::<Mutex<Doings>>::default();
        let page = Page { tab, doings };
        page.listen();
        let address = format!("file://{}", file.display());
        page.tab.navigate_to(&address).expect("the page is opened");
        page.evaluate(
            "new Promise(done => {
                if (document.readyState === 'complete') done();
                else addEventListener('load', () => done());
            })",
        );
        page
    }

    /// Notes from now on what the page asks for and complains of.
    fn listen(&self) {
        let doings = Arc::clone(&self.doings);
        let listener = move |event: &Event| {
            let mut doings = doings.lock().unwrap();
            match event {
                Event::NetworkRequestWillBeSent(event) => {
                    doings.requests.push(event.params.request.url.clone());
                }
                Event::LogEntryAdded(event) => {
                    doings.console.push(event.params.entry.text.clone());
                }
                Event::RuntimeExceptionThrown(event) => {
                    let details = &event.params.exception_details;
                    doings.console.push(details.text.clone());
                }
                Event::RuntimeConsoleAPICalled(event) => {
                    let words = event
                        .params
                        .args
                        .iter()
                        .filter_map(|word| word.value.as_ref());
                    let words: Vec<_> = words.map(Value::to_string).collect();
                    doings.console.push(words.join(" "));
                }
                _ => {}
            }
        };
        self.tab.add_event_listener(Arc::new(listener)).unwrap();
        let watch = Network::Enable {
            max_total_buffer_size: None,
            max_resource_buffer_size: None,
            max_post_data_size: None,
            report_direct_socket_traffic: None,
            enable_durable_messages: None,
        };
        let enabled = self.tab.call_method(watch);
        enabled.expect("requests can be watched");
        self.tab.call_method(Log::Enable(None)).unwrap();
        self.tab.call_method(Runtime::Enable(None)).unwrap();
    }

    /// The value of an expression of JavaScript; a promise is waited for.
    ///
    /// # Panics
    ///
    /// If it throws.
    #[track_caller]
    pub(crate) fn evaluate(&self, expression: &str) -> Value {
        let expression = format!(
            "(async () => {{
                try {{ return JSON.stringify({{ value: await ({expression}) }}); }}
                catch (error) {{ return JSON.stringify({{ error: String(error) }}); }}
            }})()"
        );
        let result = self.tab.evaluate(&expression, true).expect("an evaluation");
        let text = result.value.expect("a value");
        let mut result: Value = serde_json::from_str(text.as_str().expect("a text")).unwrap();
        assert!(result.get("error").is_none(), "the page throws {result}");
        result["value"].take()
    }

    /// Shows the page on another screen.
    pub(crate) fn show_on(&self, screen: Screen) {
        self.resize(screen.width, 800);
        let scheme = if screen.is_dark { "dark" } else { "light" };
        let feature = Emulation::MediaFeature {
            name: "prefers-color-scheme".to_owned(),
            value: scheme.to_owned(),
        };
        let media = Emulation::SetEmulatedMedia {
            media: None,
            features: Some(vec![feature]),
        };
        self.tab.call_method(media).expect("a colour scheme");
    }

    pub(crate) fn resize(&self, width: u32, height: u32) {
        let metrics = Emulation::SetDeviceMetricsOverride {
            width,
            height,
            device_scale_factor: 1.0,
            mobile: false,
            scale: None,
            screen_width: None,
            screen_height: None,
            position_x: None,
            position_y: None,
            dont_set_visible_size: None,
            screen_orientation: None,
            viewport: None,
            display_feature: None,
            device_posture: None,
        };
        self.tab.call_method(metrics).expect("another size");
    }

    /// What is wrong with the page as it is shown, in words.
    pub(crate) fn faults(&self) -> Vec<String> {
        let faults = self.evaluate(include_str!("measure.js"));
        texts(&faults)
    }

    /// What axe-core calls serious or worse, in words: by its contrast alone if
    /// the rest has been looked at.
    pub(crate) fn barriers(&self) -> Vec<String> {
        let is_first = self.evaluate("typeof axe") == "undefined";
        if is_first {
            let file = root().canonicalize().unwrap().join(AXE);
            assert!(
                file.exists(),
                "{}: tests/browser/run installs it",
                file.display()
            );
            // A page with a policy of its own runs no other script that stands in it.
            let script = fs::read_to_string(file).unwrap();
            self.tab.evaluate(&script, false).expect("axe-core is run");
        }
        let only = if is_first {
            "undefined"
        } else {
            "[\"color-contrast\"]"
        };
        let barriers = self.evaluate(&include_str!("axe.js").replace("ONLY", only));
        texts(&barriers)
    }

    /// What the page has asked for beside itself, and what it has complained
    /// of, since it was opened.
    pub(crate) fn doings(&self) -> (Vec<String>, Vec<String>) {
        // What was done before this word is written has been heard when the word is.
        let word = "that is all";
        self.evaluate(&format!("console.debug('{word}')"));
        let deadline = Instant::now() + PATIENCE;
        loop {
            let mut doings = self.doings.lock().unwrap();
            let said = |text: &String| text.trim_matches('"') == word;
            if doings.console.iter().any(said) {
                doings.console.retain(|text| !said(text));
                // The first is the page itself.
                let requests = doings.requests.iter().skip(1);
                let requests = requests.filter(|url| !url.ends_with(AXE)).cloned();
                return (requests.collect(), doings.console.clone());
            }
            drop(doings);
            assert!(Instant::now() < deadline, "the console stays silent");
            thread::sleep(Duration::from_millis(1));
        }
    }

    /// Returns what is seen of the page as a PNG.
    pub(crate) fn picture(&self) -> Vec<u8> {
        let format = Cdp::CaptureScreenshotFormatOption::Png;
        let picture = self.tab.capture_screenshot(format, None, None, true);
        picture.expect("a screenshot")
    }

    /// Describes what is wrong with the colours of the squares on its boards of links. Writes a
    /// picture of the page into the page's folder.
    pub(crate) fn faults_of_squares(&self, folder: &Path, screen: Screen) -> Vec<String> {
        const SIGNS: &str = "Array.from(document.links)
            .filter(link => link.textContent.trim() === '+').forEach(link => link.style.visibility";
        self.show_on(screen);
        self.stretch(screen);
        self.evaluate(&format!("{SIGNS} = 'hidden')"));
        let name = format!("squares-{}.png", screen.name());
        fs::write(folder.join(&name), self.picture()).unwrap();
        self.evaluate(&format!("{SIGNS} = '')"));
        texts(&self.evaluate(&include_str!("squares.js").replace("PICTURE", &name)))
    }

    /// Makes the window as high as the page.
    fn stretch(&self, screen: Screen) {
        let height = self.evaluate("document.documentElement.scrollHeight");
        let height = height.as_f64().expect("a height");
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "a number of pixels that has been bounded"
        )]
        self.resize(screen.width, height.clamp(100.0, 15_000.0).ceil() as u32);
    }

    /// Keeps the whole page as it is shown in a JPEG file of `target/browser`.
    pub(crate) fn photograph(&self, name: &str, screen: Screen) {
        self.stretch(screen);
        let format = Cdp::CaptureScreenshotFormatOption::Jpeg;
        let picture = self.tab.capture_screenshot(format, Some(90), None, true);
        let folder = root().join("target/browser");
        let file = folder.join(format!("{name}-{}.jpg", screen.name()));
        fs::write(file, picture.expect("a screenshot")).unwrap();
    }
}

fn texts(list: &Value) -> Vec<String> {
    let list = list.as_array().expect("a list").iter();
    list.map(|text| text.as_str().expect("a text").to_owned())
        .collect()
}
