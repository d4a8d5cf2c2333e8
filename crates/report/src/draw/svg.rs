//! Lays a graph out, so that a picture needs no other program.

use layout::backends::svg::SVGWriter;
use layout::gv::GraphBuilder;
use layout::gv::parser::DotParser;

pub fn lay_out(dot: &str) -> Result<String, String> {
    let graph = DotParser::new(dot).process().map_err(|error| {
        format!("the picture could not be laid out ({error}); the form `dot` has the same content")
    })?;
    let mut builder = GraphBuilder::new();
    builder.visit_graph(&graph);
    let mut canvas = SVGWriter::new();
    builder.get().do_it(false, false, false, &mut canvas);
    Ok(canvas.finalize())
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_graph_becomes_svg() {
        let svg = super::lay_out("digraph g { a [label=\"x < 1\"]; a -> b; }").expect("laid out");
        assert!(svg.contains("<svg") && svg.contains("</svg>"), "{svg}");
        assert!(svg.contains("x &lt; 1"), "{svg}");
    }
}
