//! `muster sim` from the outside: small files in, tables and JSON out, and what is said when
//! something is wrong.

mod sim {
    mod compare;
    mod experiments;
    mod replay;
    mod report;
    mod support;
    mod teams;
}
