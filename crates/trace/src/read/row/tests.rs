//! Splitting lines into cells, and what becomes of lines that cannot be split.

use crate::read::lines::Lines;
use crate::read::row::{Rows, Splitting};

/// Every row as its line and cells, or its line and what is wrong.
fn split(text: &[u8], splitting: Splitting, width: Option<usize>) -> Vec<(u64, Vec<String>)> {
    let mut rows = Rows::new(Lines::new(Box::new(text)), splitting);
    if let Some(width) = width {
        rows.expect_width(width);
    }
    let mut found = Vec::new();
    while let Some(row) = rows.next().unwrap() {
        found.push(match row {
            Ok(row) => (row.line, (0..row.len()).map(|at| row.cell(at).to_owned()).collect()),
            Err((line, fault)) => (line, vec![format!("bad: {}", fault.reason)]),
        });
    }
    found
}

fn cells(line: u64, cells: &[&str]) -> (u64, Vec<String>) {
    (line, cells.iter().map(|&cell| cell.to_owned()).collect())
}

const COMMAS: Splitting = Splitting::Commas;

#[test]
fn quoted_cells_of_our_own_hold_commas_quotes_and_line_ends() {
    let text = b"\"a,b\",\"say \"\"hi\"\"\",\"two\nlines\r\nthree\"\nc,,\n";
    let rows = split(text, Splitting::SpanningCommas, None);
    assert_eq!(
        rows,
        [cells(1, &["a,b", "say \"hi\"", "two\nlines\r\nthree"]), cells(4, &["c", "", ""])]
    );
}

#[test]
fn a_quote_that_is_never_closed_costs_one_line() {
    for splitting in [COMMAS, Splitting::SpanningCommas] {
        let rows = split(b"1,\"x\n2,y\n3,z\n", splitting, Some(2));
        let lost = cells(1, &["bad: a quote is opened and not closed"]);
        assert_eq!(rows, [lost, cells(2, &["2", "y"]), cells(3, &["3", "z"])]);
    }
}

#[test]
fn a_row_that_spans_lines_and_does_not_fit_costs_one_line() {
    let rows = split(b"1,\"x\n2,y\n3\",z\n4,w\n", Splitting::SpanningCommas, Some(2));
    let lost = cells(1, &["bad: 3 columns, expected 2 as in the header"]);
    assert_eq!(rows[..2], [lost, cells(2, &["2", "y"])]);
    assert_eq!(rows[3], cells(4, &["4", "w"]));
}

#[test]
fn two_stray_quotes_swallow_nothing_between_them() {
    let rows = split(b"1,\"x\n2,y\n3,\"z\n4,w\n", COMMAS, Some(2));
    assert_eq!(rows.len(), 4);
    assert_eq!(rows[1], cells(2, &["2", "y"]));
    assert_eq!(rows[3], cells(4, &["4", "w"]));
    assert!(rows[0].1[0].starts_with("bad: ") && rows[2].1[0].starts_with("bad: "), "{rows:?}");
}

#[test]
fn a_last_line_without_end_is_a_row_even_if_it_is_quoted() {
    assert_eq!(split(b"a,\"b\"", COMMAS, None), [cells(1, &["a", "b"])]);
    let open = cells(1, &["bad: a quote is opened and not closed"]);
    assert_eq!(split(b"a,\"b", COMMAS, Some(2)), [open]);
}

#[test]
fn bytes_that_are_no_text_are_a_bad_row() {
    let rows = split(b"a,\xff\nb,c\n", COMMAS, None);
    assert_eq!(rows, [cells(1, &["bad: not UTF-8"]), cells(2, &["b", "c"])]);
    // The two halves of one character, with a comma between them.
    assert_eq!(split(b"\xc3,\xa4\n", COMMAS, None), [cells(1, &["bad: not UTF-8"])]);
}

#[test]
fn a_carriage_return_within_a_line_and_too_many_cells_are_bad_rows() {
    let rows = split(b"a,b\rc,d\ne,f\n", COMMAS, None);
    let middle = "bad: a carriage return in the middle of the line";
    assert_eq!(rows, [cells(1, &[middle]), cells(2, &["e", "f"])]);
    let many = format!("{}\na,b\n", ",".repeat(300));
    let rows = split(many.as_bytes(), COMMAS, None);
    assert_eq!(rows, [cells(1, &["bad: more than 256 columns"]), cells(2, &["a", "b"])]);
}

#[test]
fn bars_know_no_quotes_and_spaces_come_in_any_number() {
    let rows = split(b"1|say \"hi|x\n2|\"|y\n", Splitting::Bars, Some(3));
    assert_eq!(rows, [cells(1, &["1", "say \"hi", "x"]), cells(2, &["2", "\"", "y"])]);
    let rows = split(b"  1   2\t-1 \n", Splitting::Spaces, None);
    assert_eq!(rows, [cells(1, &["1", "2", "-1"])]);
    let rows = split(b"{\"a\": 1}\n", Splitting::Whole, None);
    assert_eq!(rows, [cells(1, &["{\"a\": 1}\n"])]);
}

#[test]
fn cells_that_a_row_has_not_are_empty() {
    let mut rows = Rows::new(Lines::new(Box::new(&b"a,b\n"[..])), COMMAS);
    let row = rows.next().unwrap().unwrap().unwrap();
    assert_eq!((row.cell(1), row.cell(2), row.cell(99)), ("b", "", ""));
}
