//! A table of text cells, printed aligned or as Markdown. The first column is
//! aligned to the left, the others to the right. Rows are shown when all are there;
//! a line on stderr says what is being measured meanwhile.

use crate::options::Options;

pub struct Table {
    head: Vec<&'static str>,
    rows: Vec<Vec<String>>,
}

impl Table {
    pub fn new(head: &[&'static str]) -> Table {
        Table { head: head.to_vec(), rows: Vec::new() }
    }

    pub fn row(&mut self, cells: Vec<String>) {
        assert_eq!(cells.len(), self.head.len(), "a cell for each column");
        self.rows.push(cells);
    }

    pub fn print(&self, title: &str, options: &Options) {
        let widths: Vec<usize> = (0..self.head.len()).map(|column| self.width(column)).collect();
        let head: Vec<String> = self.head.iter().map(|text| text.to_string()).collect();
        if options.markdown {
            println!("### {title}\n\n{}", markdown(&head, &widths));
            println!("{}", rule(&widths));
            self.rows.iter().for_each(|row| println!("{}", markdown(row, &widths)));
        } else {
            println!("{title}\n\n{}", plain(&head, &widths));
            self.rows.iter().for_each(|row| println!("{}", plain(row, &widths)));
        }
        println!();
    }

    fn width(&self, column: usize) -> usize {
        let cells = self.rows.iter().map(|row| row[column].chars().count());
        cells.chain([self.head[column].chars().count()]).max().unwrap_or(0)
    }
}

/// A remark below a table.
pub fn remark(text: &str) {
    println!("{text}\n");
}

/// Tells who waits what is being measured.
pub fn progress(text: &str) {
    eprintln!("measuring {text}");
}

fn plain(cells: &[String], widths: &[usize]) -> String {
    padded(cells, widths).join("  ").trim_end().to_string()
}

fn markdown(cells: &[String], widths: &[usize]) -> String {
    format!("| {} |", padded(cells, widths).join(" | "))
}

fn rule(widths: &[usize]) -> String {
    let bars = widths.iter().enumerate().map(|(column, width)| match column {
        0 => "-".repeat(width + 2),
        _ => format!("{}:", "-".repeat(width + 1)),
    });
    format!("|{}|", bars.collect::<Vec<_>>().join("|"))
}

fn padded(cells: &[String], widths: &[usize]) -> Vec<String> {
    let pairs = cells.iter().zip(widths).enumerate();
    pairs
        .map(|(column, (cell, &width))| match column {
            0 => format!("{cell:<width$}"),
            _ => format!("{cell:>width$}"),
        })
        .collect()
}
