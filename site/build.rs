//! Tells cargo that the web app's built files are part of the binary.

fn main() {
    println!("cargo:rerun-if-changed=../web/dist");
}
