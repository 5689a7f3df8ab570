use parapost::text::diagnostic::Problem;
use parapost::text::*;
fn main() {
    let text = std::fs::read_to_string(std::env::args().nth(1).unwrap()).unwrap();
    let v = parapost::rules::Variant::find("unachess", &[]).unwrap();
    let t = read(&text, &v);
    for p in &t.parts {
        match &p.what {
            What::Diagram(d) => println!("{:?}\n{}", p.lines, d.diagram),
            What::Moves(m) => {
                println!("{:?} {:?}", p.lines, m.manner);
                for e in &m.entries {
                    println!(
                        "    {:?} {:?} num {:?} aside {} tail {:?} {}",
                        e.text,
                        e.place,
                        e.number.map(|n| (n.value, n.is_second)),
                        e.is_aside,
                        e.tail,
                        e.parsed.is_ok()
                    );
                }
            }
            o => println!("{:?} {o:?}", p.lines),
        }
    }
    println!(
        "{}",
        Problem::error(
            Place {
                line: 2,
                column: 3,
                width: 4
            },
            "hello"
        )
        .helping("do that")
        .render("x.txt", &t.lines)
    );
}
