//! Message framing: the service gets every JSON-RPC message that a client sends, and nothing else. Whatever else arrives
//! is answered with an error response, and the session continues with the next message.

use std::io;
use std::sync::LazyLock;

use aho_corasick::AhoCorasick;
use serde_json::Value;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt, DuplexStream};
use tokio::sync::mpsc;

use super::message::{Refusal, judge};

/// The size limit of a message, in bytes: many times the largest document that is read.
const MAX_BODY: usize = 64 * 1024 * 1024;
/// The size limit of a header block, in bytes.
const MAX_HEADER: usize = 8 * 1024;
/// The size limit of the value of a `Content-Length` line that is searched for in garbage, in bytes: no number needs
/// more.
const MAX_LENGTH_LINE: usize = 64;
/// The number of bytes to read at once.
const CHUNK: usize = 64 * 1024;
/// The number of bytes that may be buffered between the client and the service, in either direction.
const BUFFER: usize = 1 << 20;
/// The number of error responses that may wait for the writer. If a client does not read its responses, its input is
/// not read either.
const REFUSALS: usize = 16;

/// The name of the header field that every message has, in lower case.
const LENGTH: &str = "content-length";
static LENGTH_HEADER: LazyLock<AhoCorasick> = LazyLock::new(|| {
    let searcher = AhoCorasick::builder().ascii_case_insensitive(true).build([format!("{LENGTH}:")]);
    searcher.expect("one short pattern")
});

/// Separates the messages of a client from all other input. Returns the stream of messages for the service, and the
/// error responses for the client.
pub(super) fn only_messages(input: impl AsyncRead + Unpin + Send + 'static) -> (DuplexStream, mpsc::Receiver<Vec<u8>>) {
    let (ours, theirs) = tokio::io::duplex(BUFFER);
    let (refusals, refused) = mpsc::channel(REFUSALS);
    tokio::spawn(async move {
        // When one side closes, the other side is closed as well.
        let _ = pass_on(Frames::new(input), ours, refusals).await;
    });
    (theirs, refused)
}

/// Creates the only writer of `output`. Returns the stream for the messages of the service, and the task that writes
/// them and the error responses, each as a whole. The task ends after the service has dropped the stream.
pub(super) fn one_writer<O: AsyncWrite>(
    output: O,
    refused: mpsc::Receiver<Vec<u8>>,
) -> (DuplexStream, impl Future<Output = ()> + use<O>) {
    let (ours, theirs) = tokio::io::duplex(BUFFER);
    // Without a client, there is no one to report the error to.
    (theirs, async move { write_all(ours, refused, output).await.unwrap_or_default() })
}

async fn pass_on(
    mut frames: Frames<impl AsyncRead + Unpin>,
    mut service: DuplexStream,
    refusals: mpsc::Sender<Vec<u8>>,
) -> io::Result<()> {
    while let Some(frame) = frames.next().await? {
        let refusal = match frame {
            Ok(body) => match judge(&body) {
                Ok(message) => {
                    let body = message.as_deref().unwrap_or(&body);
                    service.write_all(header_of(body).as_bytes()).await?;
                    service.write_all(body).await?;
                    continue;
                }
                Err(refusal) => refusal,
            },
            Err(refusal) => refusal,
        };
        // If the writer is gone, messages are still passed to the service.
        let body = refusal.body();
        let _ = refusals.send((header_of(body.as_bytes()) + &body).into_bytes()).await;
    }
    Ok(())
}

async fn write_all(
    service: impl AsyncRead + Unpin,
    mut refused: mpsc::Receiver<Vec<u8>>,
    output: impl AsyncWrite,
) -> io::Result<()> {
    let mut output = std::pin::pin!(output);
    let mut service = Frames::new(service);
    loop {
        // Either future may be dropped before it is done without losing data: an incomplete frame stays in `service`.
        tokio::select! {
            Some(refusal) = refused.recv() => output.write_all(&refusal).await?,
            frame = service.frame() => match frame? {
                Some(frame) => output.write_all(&frame).await?,
                None => break,
            },
        }
        output.flush().await?;
    }
    while let Ok(refusal) = refused.try_recv() {
        output.write_all(&refusal).await?;
    }
    output.flush().await
}

fn header_of(body: &[u8]) -> String {
    format!("Content-Length: {}\r\n\r\n", body.len())
}

/// A stream of frames: header blocks, each with the body that it announces.
struct Frames<R> {
    input: R,
    /// The bytes that were read; those from `start` on have not been consumed yet.
    buffer: Vec<u8>,
    start: usize,
    /// Whether to search for the next header: the bytes before it belong to no frame.
    is_lost: bool,
    /// The length of the rest of a refused body, in bytes.
    skipped: u64,
}

impl<R: AsyncRead + Unpin> Frames<R> {
    fn new(input: R) -> Frames<R> {
        Frames { input, buffer: Vec::new(), start: 0, is_lost: false, skipped: 0 }
    }

    fn held(&self) -> &[u8] {
        &self.buffer[self.start..]
    }

    fn drop_front(&mut self, count: usize) {
        self.start += count;
        if self.start == self.buffer.len() {
            self.start = 0;
            self.buffer.clear();
            // Otherwise one large message would keep its memory for ever.
            self.buffer.shrink_to(CHUNK);
        }
    }

    /// Reads more; `false` at the end of the stream. Nothing is lost if the future is dropped before it is done.
    async fn fill(&mut self) -> io::Result<bool> {
        if self.start >= CHUNK {
            self.buffer.drain(..self.start);
            self.start = 0;
        }
        self.buffer.reserve(CHUNK);
        Ok((&mut self.input).take(CHUNK as u64).read_buf(&mut self.buffer).await? > 0)
    }

    /// Returns the next body, or the reason why the next input is refused; `None` at the end of the stream. A run of
    /// bytes between two messages is refused once.
    async fn next(&mut self) -> io::Result<Option<Result<Vec<u8>, Refusal>>> {
        if !self.skip().await? || (self.is_lost && !self.find().await?) {
            return Ok(None);
        }
        self.is_lost = false;
        let header = match self.header().await? {
            None => return Ok(None),
            Some(Ok(header)) => header,
            Some(Err(broken)) => {
                self.drop_front(broken.resume);
                self.is_lost = true;
                return Ok(Some(Err(Refusal::parse_error(broken.reason))));
            }
        };
        let refused = if header.length > MAX_BODY as u64 {
            let length = header.length;
            Some(format!("a message of {length} bytes exceeds the limit of {MAX_BODY} bytes; send it in smaller parts"))
        } else {
            header.charset.map(|charset| format!("the charset `{charset}` is not supported; encode messages as utf-8"))
        };
        if let Some(reason) = refused {
            self.skipped = header.length;
            return Ok(Some(Err(Refusal::invalid(reason, Value::Null))));
        }
        let length = header.length as usize;
        while self.held().len() < length {
            if !self.fill().await? {
                return Ok(None);
            }
        }
        let body = self.held()[..length].to_vec();
        self.drop_front(length);
        Ok(Some(Ok(body)))
    }

    /// Returns the next frame, with its header, of a stream that contains only frames; `None` at the end. Nothing is
    /// lost if the future is dropped before it is done.
    async fn frame(&mut self) -> io::Result<Option<Vec<u8>>> {
        let wrong = || io::Error::from(io::ErrorKind::InvalidData);
        loop {
            if let Some(end) = self.held().windows(4).take(MAX_HEADER).position(|four| four == b"\r\n\r\n") {
                let header = str::from_utf8(&self.held()[..end]).map_err(|_| wrong())?;
                let length = header.lines().find_map(|line| line.strip_prefix("Content-Length: "));
                let length: usize = length.and_then(|length| length.parse().ok()).ok_or_else(wrong)?;
                let whole = end + 4 + length;
                while self.held().len() < whole {
                    if !self.fill().await? {
                        return Ok(None);
                    }
                }
                let frame = self.held()[..whole].to_vec();
                self.drop_front(whole);
                return Ok(Some(frame));
            }
            if !self.fill().await? {
                return Ok(None);
            }
        }
    }

    /// Skips the refused body without keeping it; `false` at the end of the stream. A header inside it shows that the
    /// announced length was wrong, since no JSON text can contain one.
    async fn skip(&mut self) -> io::Result<bool> {
        while self.skipped > 0 {
            let (found, passed) = match find_length(self.held()) {
                Search::Found(at) => (true, at),
                Search::NotBefore(at) => (false, at),
            };
            let passed = u64::try_from(passed).unwrap_or(u64::MAX).min(self.skipped);
            self.drop_front(passed as usize);
            self.skipped -= passed;
            if found {
                self.skipped = 0;
            } else if self.skipped > 0 && self.skipped <= self.held().len() as u64 {
                // The rest is too short to contain a header.
                let rest = std::mem::take(&mut self.skipped);
                self.drop_front(rest as usize);
            } else if self.skipped > 0 && !self.fill().await? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Drops everything before the next `Content-Length` header; `false` if the stream ends without one.
    async fn find(&mut self) -> io::Result<bool> {
        loop {
            match find_length(self.held()) {
                Search::Found(at) => {
                    self.drop_front(at);
                    return Ok(true);
                }
                Search::NotBefore(at) => {
                    self.drop_front(at);
                    if !self.fill().await? {
                        return Ok(false);
                    }
                }
            }
        }
    }

    /// Takes a header block; `None` at the end of the stream.
    async fn header(&mut self) -> io::Result<Option<Result<Header, Broken>>> {
        let (mut length, mut charset) = (None, None);
        // The start of the current line.
        let mut at = 0;
        loop {
            let Some(end) = self.held()[at..].iter().take(MAX_HEADER).position(|&byte| byte == b'\n') else {
                if self.held().len() >= MAX_HEADER {
                    return Ok(Some(Err(Broken::header_too_long(at))));
                }
                if !self.fill().await? {
                    return Ok(None);
                }
                continue;
            };
            let next = at + end + 1;
            if next > MAX_HEADER {
                return Ok(Some(Err(Broken::header_too_long(at))));
            }
            let line = self.held()[at..next].trim_ascii();
            if line.is_empty() && at == 0 {
                // Some clients end messages with a line break.
                self.drop_front(next);
                continue;
            }
            if line.is_empty() {
                let Some(length) = length else {
                    let reason = "a header without `Content-Length`; send the length of the message in bytes";
                    return Ok(Some(Err(Broken { reason: reason.into(), resume: 0 })));
                };
                self.drop_front(next);
                return Ok(Some(Ok(Header { length, charset })));
            }
            let Some((name, value)) = header_field(line) else {
                let reason = "expected a header; each message begins with `Content-Length: `";
                return Ok(Some(Err(Broken { reason: reason.into(), resume: at })));
            };
            if name.eq_ignore_ascii_case(LENGTH) {
                let reason = match (length_of(&value), length) {
                    (None, _) => {
                        Some(format!("invalid Content-Length `{value}`: expected the length of the body in bytes"))
                    }
                    (Some(new), Some(old)) if new != old => {
                        Some(format!("conflicting Content-Length headers: {old} and {new}"))
                    }
                    (Some(new), _) => {
                        length = Some(new);
                        None
                    }
                };
                if let Some(reason) = reason {
                    return Ok(Some(Err(Broken { reason, resume: next })));
                }
            } else if name.eq_ignore_ascii_case("content-type") {
                charset = foreign_charset(&value);
            }
            at = next;
        }
    }
}

struct Header {
    /// The length of the body, in bytes; `u64::MAX` if the number is too large.
    length: u64,
    /// The charset of the body, if it is not UTF-8.
    charset: Option<String>,
}

/// A header that cannot be read.
struct Broken {
    reason: String,
    /// The offset, in bytes from the start of this header, at which to start searching for the next header.
    resume: usize,
}

impl Broken {
    fn header_too_long(resume: usize) -> Broken {
        let reason = format!("the header exceeds {MAX_HEADER} bytes; each message begins with `Content-Length: `");
        Broken { reason, resume }
    }
}

/// Splits a header field into name and value; `None` if the line is not a header field.
fn header_field(line: &[u8]) -> Option<(&str, String)> {
    let colon = line.iter().position(|&byte| byte == b':')?;
    let (name, value) = (&line[..colon], &line[colon + 1..]);
    let is_token = |byte: &u8| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(byte);
    let name = str::from_utf8(name).ok().filter(|name| !name.is_empty() && name.bytes().all(|byte| is_token(&byte)))?;
    Some((name, String::from_utf8_lossy(value.trim_ascii()).into_owned()))
}

fn length_of(value: &str) -> Option<u64> {
    let is_number = !value.is_empty() && value.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then(|| value.parse().unwrap_or(u64::MAX))
}

/// The charset of a content type, if it is not UTF-8.
fn foreign_charset(content_type: &str) -> Option<String> {
    let parameters = content_type.split(';').skip(1).filter_map(|parameter| parameter.split_once('='));
    let mut charsets = parameters.filter(|(name, _)| name.trim().eq_ignore_ascii_case("charset"));
    let charset = charsets.next()?.1.trim().trim_matches('"');
    // The protocol asks to accept `utf8` from older clients.
    let is_utf8 = ["utf-8", "utf8"].iter().any(|known| known.eq_ignore_ascii_case(charset));
    (!is_utf8).then(|| charset.to_string())
}

/// The result of a search in input of which more may still arrive. Offsets are in bytes.
enum Search {
    /// The offset at which a header begins.
    Found(usize),
    /// The offset before which no header begins.
    NotBefore(usize),
}

/// Searches for a `Content-Length` header line.
fn find_length(bytes: &[u8]) -> Search {
    let mut from = 0;
    while let Some(found) = LENGTH_HEADER.find(&bytes[from..]) {
        let (at, value) = (from + found.start(), from + found.end());
        let line = &bytes[value..bytes.len().min(value + MAX_LENGTH_LINE)];
        match line.iter().position(|&byte| byte == b'\n') {
            Some(end) if length_of(&String::from_utf8_lossy(line[..end].trim_ascii())).is_some() => {
                return Search::Found(at);
            }
            None if line.len() < MAX_LENGTH_LINE => return Search::NotBefore(at),
            _ => from = value,
        }
    }
    // The last bytes may be the start of a header.
    Search::NotBefore(bytes.len().saturating_sub(LENGTH.len()).max(from))
}
