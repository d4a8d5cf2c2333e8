//! A state space as a picture: in Graphviz's language, or laid out as SVG.

mod dot;
mod svg;

use exeunt_model::Picture;

/// The forms of pictures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Drawing {
    Dot,
    Svg,
}

/// The picture as text. `Err` says why it could not be laid out.
pub fn draw(form: Drawing, picture: &Picture, title: &str) -> Result<String, String> {
    let text = dot::write(picture, title);
    match form {
        Drawing::Dot => Ok(text),
        Drawing::Svg => svg::lay_out(&text),
    }
}
