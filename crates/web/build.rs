//! Has the crate built anew when the dashboard was. Only what is released embeds it; a debug build
//! reads the files when they are asked for.

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    if std::env::var("PROFILE").as_deref() == Ok("release") {
        println!("cargo:rerun-if-changed=../../web/dist");
    }
}
