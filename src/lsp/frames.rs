//! Messages as they come: a client that sends something else than a message loses that one, and nothing more.

use tokio::io::{AsyncBufReadExt, AsyncRead, AsyncReadExt, AsyncWriteExt, BufReader, DuplexStream};

/// The largest message that is taken, in bytes: many times the largest document that is read.
const MAX_LENGTH: usize = 64 * 1024 * 1024;
/// How much may lie between the client and the service.
const BUFFER: usize = 1 << 20;

/// Passes on what of `input` is a message: a header with a length, and that many bytes of a JSON object. What is
/// not, is left out.
pub(super) fn only_messages(input: impl AsyncRead + Unpin + Send + 'static) -> DuplexStream {
    let (ours, theirs) = tokio::io::duplex(BUFFER);
    tokio::spawn(async move {
        // The end of either side ends the other.
        let _ = pass_on(BufReader::new(input), ours).await;
    });
    theirs
}

async fn pass_on(mut input: BufReader<impl AsyncRead + Unpin>, mut output: DuplexStream) -> std::io::Result<()> {
    let mut line = Vec::new();
    let mut length = None;
    loop {
        line.clear();
        if input.read_until(b'\n', &mut line).await? == 0 {
            return Ok(());
        }
        let header = String::from_utf8_lossy(&line);
        let header = header.trim();
        if let Some((name, value)) = header.split_once(':') {
            if name.eq_ignore_ascii_case("content-length") {
                length = value.trim().parse().ok().filter(|&length: &usize| length <= MAX_LENGTH);
            }
            continue;
        }
        // An empty line ends the header; anything else is no header at all.
        let Some(length) = length.take().filter(|_| header.is_empty()) else { continue };
        let mut body = vec![0; length];
        input.read_exact(&mut body).await?;
        if matches!(serde_json::from_slice(&body), Ok(serde_json::Value::Object(_))) {
            output.write_all(format!("Content-Length: {length}\r\n\r\n").as_bytes()).await?;
            output.write_all(&body).await?;
        }
    }
}
