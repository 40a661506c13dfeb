//! Asking a running server for its tools. A server is started here and nowhere else, with the words that somebody typed,
//! and it is ended whatever happens.

#![expect(clippy::disallowed_methods, reason = "the door for processes and connections")]

use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use process_wrap::tokio::CommandWrap;
use rmcp::RoleClient;
use rmcp::model::{ErrorCode, ProtocolVersion};
use rmcp::service::{ClientInitializeError, ClientLifecycleMode, ClientServiceExt};
use rmcp::transport::{IntoTransport, StreamableHttpClientTransport, TokioChildProcess};
use serde_json::Value;
use tokio::io::AsyncReadExt;

/// What a server answered.
#[derive(Debug)]
pub struct Answer {
    /// `serverInfo` of the handshake.
    pub server_info: Value,
    /// The tools of every page of `tools/list`, in their order.
    pub tools: Vec<Value>,
}

/// Why there is no answer.
#[derive(Debug)]
pub enum NoAnswer {
    /// The program cannot be started.
    NotStarted(std::io::Error),
    /// It does not speak the protocol, or ended.
    Failed(String),
    /// It took longer than it may.
    TooSlow(Duration),
    Interrupted,
}

impl std::fmt::Display for NoAnswer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            NoAnswer::NotStarted(error) => write!(f, "it cannot be started: {error}"),
            NoAnswer::Failed(what) => write!(f, "it gave no list of tools: {what}"),
            NoAnswer::TooSlow(limit) => write!(f, "no answer within {} seconds", limit.as_secs()),
            NoAnswer::Interrupted => f.write_str("interrupted"),
        }
    }
}

impl std::error::Error for NoAnswer {}

/// Starts a server on standard input and output in a folder, and asks for its tools. The server, and all that it has
/// started, is ended before this returns. Where the command is a URL and nothing else, the server that runs there is
/// asked, over streamable HTTP.
///
/// # Errors
/// When the server cannot be started, does not answer within `limit`, or answers something else.
pub fn ask(command: &[String], directory: &Path, limit: Duration) -> Result<Answer, NoAnswer> {
    let runtime = tokio::runtime::Runtime::new().map_err(NoAnswer::NotStarted)?;
    runtime.block_on(asked(command, directory, limit))
}

async fn asked(command: &[String], directory: &Path, limit: Duration) -> Result<Answer, NoAnswer> {
    // Servers of the older kind may end at the newer way of saying hello, so it comes second.
    let answer = match asked_so(command, directory, limit, ClientLifecycleMode::Initialize).await? {
        Err(refusal) if refusal.wants_newer => {
            let newest = ClientLifecycleMode::Discover { preferred_versions: vec![ProtocolVersion::LATEST] };
            asked_so(command, directory, limit, newest).await?
        }
        answer => answer,
    };
    answer.map_err(|refusal| NoAnswer::Failed(refusal.what))
}

/// What a server said in the place of an answer.
struct Refusal {
    what: String,
    /// It speaks no version of the protocol that begins with a handshake.
    wants_newer: bool,
}

impl From<String> for Refusal {
    fn from(what: String) -> Refusal {
        Refusal { what, wants_newer: false }
    }
}

/// Asks with one way of saying hello.
async fn asked_so(
    command: &[String],
    directory: &Path,
    limit: Duration,
    greeting: ClientLifecycleMode,
) -> Result<Result<Answer, Refusal>, NoAnswer> {
    let Some((program, args)) = command.split_first() else {
        return Err(NoAnswer::Failed("no command was given".into()));
    };
    if args.is_empty() && ["http://", "https://"].iter().any(|scheme| program.starts_with(scheme)) {
        // Whoever installed one before has it already.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let transport = StreamableHttpClientTransport::from_uri(program.as_str());
        return within(limit, talk(transport, greeting)).await;
    }
    let mut command = CommandWrap::with_new(program, |command| {
        command.args(args).current_dir(directory);
    });
    // What starts a server is often another program's child: all of them end together.
    #[cfg(unix)]
    command.wrap(process_wrap::tokio::ProcessGroup::leader());
    #[cfg(windows)]
    command.wrap(process_wrap::tokio::JobObject);
    command.wrap(process_wrap::tokio::KillOnDrop);
    let started = TokioChildProcess::builder(command).stderr(Stdio::piped()).spawn();
    let (transport, errors) = started.map_err(NoAnswer::NotStarted)?;
    let group = Group(transport.id());
    let said = tokio::spawn(async move {
        let mut said = Vec::new();
        if let Some(mut errors) = errors {
            let mut piece = [0; 4096];
            while let Ok(count @ 1..) = errors.read(&mut piece).await {
                said.extend_from_slice(&piece[..count]);
                // The end of it tells why.
                let surplus = said.len().saturating_sub(MAX_SAID);
                said.drain(..surplus);
            }
        }
        String::from_utf8_lossy(&said).trim().to_string()
    });
    let outcome = within(limit, talk(transport, greeting)).await;
    if outcome.is_err() {
        // Whoever was dropped in the middle is killed by a task of its own, which needs its turn.
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
    // Of a wrapper that has ended, what it started may go on.
    drop(group);
    match outcome? {
        Ok(answer) => Ok(Ok(answer)),
        Err(refusal) => {
            let said = tokio::time::timeout(Duration::from_secs(1), said).await.ok().and_then(Result::ok);
            let said = said.filter(|said| !said.is_empty()).map(|said| format!("; it said:\n{said}"));
            let what = format!("{}{}", refusal.what, said.unwrap_or_default());
            Ok(Err(Refusal { what, ..refusal }))
        }
    }
}

/// All that was started for one answer; it ends with this.
struct Group(#[cfg_attr(not(unix), expect(dead_code))] Option<u32>);

impl Drop for Group {
    fn drop(&mut self) {
        #[cfg(unix)]
        if let Some(leader) = self.0.and_then(|leader| i32::try_from(leader).ok()) {
            use nix::sys::signal::{Signal, killpg};
            // Where none of them is left there is nobody to tell.
            let _ = killpg(nix::unistd::Pid::from_raw(leader), Signal::SIGKILL);
        }
    }
}

/// Says hello, asks for every page of tools, and says goodbye: that waits until the server has ended, if it was started
/// here.
async fn talk<E, A>(
    transport: impl IntoTransport<RoleClient, E, A>,
    greeting: ClientLifecycleMode,
) -> Result<Answer, Refusal>
where
    E: std::error::Error + Send + Sync + 'static,
{
    let mut client = ().serve_with_lifecycle(transport, greeting).await.map_err(|error| Refusal {
        what: error.to_string(),
        wants_newer: matches!(
            &error,
            ClientInitializeError::JsonRpcError(data) if data.code == ErrorCode::UNSUPPORTED_PROTOCOL_VERSION
        ),
    })?;
    let server_info = client.peer_info().and_then(|info| serde_json::to_value(&info.server_info).ok());
    let tools = client.list_all_tools().await.map_err(|error| error.to_string());
    // Who does not end by itself is ended: the answer is here.
    let _ = tokio::time::timeout(MAX_GOODBYE, client.close()).await;
    let tools: Vec<Value> = tools?.into_iter().filter_map(|tool| serde_json::to_value(tool).ok()).collect();
    Ok(Answer { server_info: server_info.unwrap_or_default(), tools })
}

/// What comes of something within a limit, unless somebody wants this program to end first.
async fn within<T>(limit: Duration, answer: impl Future<Output = T>) -> Result<T, NoAnswer> {
    tokio::select! {
        answer = tokio::time::timeout(limit, answer) => answer.map_err(|_| NoAnswer::TooSlow(limit)),
        () = interrupted() => Err(NoAnswer::Interrupted),
    }
}

/// Waits until somebody wants this program to end.
async fn interrupted() {
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        let (Ok(mut term), Ok(mut hangup)) = (signal(SignalKind::terminate()), signal(SignalKind::hangup())) else {
            let _ = tokio::signal::ctrl_c().await;
            return;
        };
        tokio::select! {
            _ = tokio::signal::ctrl_c() => {}
            _ = term.recv() => {}
            _ = hangup.recv() => {}
        }
    }
    #[cfg(not(unix))]
    let _ = tokio::signal::ctrl_c().await;
}

/// How long a server may take to end when it was asked to.
const MAX_GOODBYE: Duration = Duration::from_secs(5);
/// How many bytes of what a server says on standard error are kept.
const MAX_SAID: usize = 2_000;
