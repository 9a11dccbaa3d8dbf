//! Has the crate built anew when the dashboard was. Only what is released embeds it; a debug build
//! reads the files when they are asked for.

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    // A debug build looks only where there was a folder when it was built. Where none can be made
    // the page says that the dashboard is not built.
    let _ = std::fs::create_dir_all("../../web/dist");
    if std::env::var("PROFILE").as_deref() == Ok("release") {
        println!("cargo:rerun-if-changed=../../web/dist");
    }
}
