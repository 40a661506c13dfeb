//! The language server.

/// Runs the server on standard input and output until the client is gone.
///
/// # Errors
/// When the runtime cannot be started.
pub fn run() -> anyhow::Result<()> {
    Ok(())
}
