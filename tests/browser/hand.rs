//! A mouse, a finger and a keyboard on a page.

use headless_chrome::browser::tab::point::Point;
use headless_chrome::protocol::cdp::{Emulation, Input};
use serde_json::{Value, json};

use crate::page::Page;

impl Page {
    /// The middle of the first element that a selector finds, scrolled into sight.
    #[track_caller]
    pub(crate) fn middle(&self, selector: &str) -> Point {
        let selector = json!(selector);
        let found = self.evaluate(&format!(
            "(() => {{
                const element = document.querySelector({selector});
                element.scrollIntoView({{ block: 'nearest' }});
                const box = element.getBoundingClientRect();
                return [box.x + box.width / 2, box.y + box.height / 2];
            }})()"
        ));
        let at = |index: usize| found[index].as_f64().expect("a number");
        Point { x: at(0), y: at(1) }
    }

    /// Clicks on an element with the mouse.
    #[track_caller]
    pub(crate) fn click(&self, selector: &str) {
        let point = self.middle(selector);
        self.tab.click_point(point).expect("a click");
    }

    /// Drags one element to another with the mouse.
    #[track_caller]
    pub(crate) fn drag(&self, from: &str, to: &str) {
        self.middle(from);
        let to = self.middle(to);
        let from = self.middle(from);
        self.mouse("mouseMoved", from, 0);
        self.mouse("mousePressed", from, 1);
        for part in 1..=4 {
            self.mouse("mouseMoved", between(from, to, part), 1);
        }
        self.mouse("mouseReleased", to, 0);
        self.settle();
    }

    fn mouse(&self, kind: &str, point: Point, buttons: u32) {
        let button = if kind == "mouseMoved" { "none" } else { "left" };
        let event = json!({
            "type": kind, "x": point.x, "y": point.y, "button": button, "buttons": buttons, "clickCount": 1,
        });
        let event: Input::DispatchMouseEvent = serde_json::from_value(event).unwrap();
        self.tab.call_method(event).expect("a mouse");
    }

    /// Says that the screen has a touch panel.
    pub(crate) fn with_touch(&self) {
        let touch = Emulation::SetTouchEmulationEnabled {
            enabled: true,
            max_touch_points: Some(1),
        };
        self.tab.call_method(touch).expect("a touch panel");
    }

    /// Taps on an element with a finger.
    #[track_caller]
    pub(crate) fn tap(&self, selector: &str) {
        let point = self.middle(selector);
        self.finger("touchStart", Some(point));
        self.finger("touchEnd", None);
        self.settle();
    }

    /// Drags one element to another with a finger.
    #[track_caller]
    pub(crate) fn slide(&self, from: &str, to: &str) {
        self.middle(from);
        let to = self.middle(to);
        let from = self.middle(from);
        self.finger("touchStart", Some(from));
        for part in 1..=8 {
            self.finger("touchMove", Some(between(from, to, part / 2)));
        }
        self.finger("touchEnd", None);
        self.settle();
    }

    fn finger(&self, kind: &str, point: Option<Point>) {
        let points: Vec<Value> = point
            .iter()
            .map(|p| json!({ "x": p.x, "y": p.y }))
            .collect();
        let event = json!({ "type": kind, "touchPoints": points });
        let event: Input::DispatchTouchEvent = serde_json::from_value(event).unwrap();
        self.tab.call_method(event).expect("a finger");
    }

    /// Waits until what was done has been dealt with.
    fn settle(&self) {
        self.evaluate("new Promise(done => setTimeout(() => requestAnimationFrame(done), 60))");
    }

    /// Presses a key.
    pub(crate) fn press(&self, key: &str) {
        self.tab.press_key(key).expect("a key");
    }

    /// Types into the element that has the focus.
    pub(crate) fn write(&self, text: &str) {
        self.tab.send_character(text).expect("a text");
    }
}

/// A point so many quarters of the way.
fn between(from: Point, to: Point, quarters: u32) -> Point {
    let part = f64::from(quarters) / 4.0;
    Point {
        x: from.x + (to.x - from.x) * part,
        y: from.y + (to.y - from.y) * part,
    }
}
