//! Asking a running server for its tools. Servers are started only here, with the command that the user typed, and are
//! always stopped.

#![expect(clippy::disallowed_methods, reason = "the only module that may start processes and open connections")]

use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use process_wrap::tokio::CommandWrap;
use rmcp::RoleClient;
use rmcp::model::{PaginatedRequestParams, ProtocolVersion};
use rmcp::service::{ClientLifecycleMode, ClientServiceExt, RunningService};
use rmcp::transport::{IntoTransport, StreamableHttpClientTransport, TokioChildProcess};
use serde_json::Value;
use tokio::io::AsyncReadExt;

/// The answer of a server.
#[derive(Debug)]
pub(crate) struct Answer {
    /// `serverInfo` of the handshake.
    pub server_info: Value,
    /// The tools of every page of `tools/list`, in order.
    pub tools: Vec<Value>,
    /// How long, in milliseconds, the server lets clients keep the list; `None` if it does not say.
    pub ttl_ms: Option<u64>,
    /// Who may keep the list: `public`, or `private` if it may differ from user to user. `None` if the server does not
    /// say.
    pub cache_scope: Option<Value>,
}

/// The reason why there is no answer.
#[derive(Debug)]
pub(crate) enum NoAnswer {
    /// The program cannot be started.
    NotStarted(std::io::Error),
    /// The server does not speak the protocol, or exited.
    Failed(String),
    /// The server took longer than the limit.
    TooSlow(Duration),
    Interrupted,
}

impl std::fmt::Display for NoAnswer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            NoAnswer::NotStarted(error) => write!(f, "the command cannot be started: {error}"),
            NoAnswer::Failed(what) => write!(f, "the server returned no list of tools: {what}"),
            NoAnswer::TooSlow(limit) => write!(f, "no answer within {} seconds", limit.as_secs()),
            NoAnswer::Interrupted => f.write_str("interrupted"),
        }
    }
}

impl std::error::Error for NoAnswer {}

/// Starts a server in a folder and asks for its tools over the server's standard input and output. The server and every
/// process that it started are terminated before this returns. If the command is a single URL, the server at that URL
/// is asked over streamable HTTP.
///
/// # Errors
/// When the server cannot be started, does not answer within `limit`, or answers something else.
pub(crate) fn ask(command: &[String], directory: &Path, limit: Duration) -> Result<Answer, NoAnswer> {
    let runtime = tokio::runtime::Runtime::new().map_err(NoAnswer::NotStarted)?;
    runtime.block_on(asked(command, directory, limit))
}

async fn asked(command: &[String], directory: &Path, limit: Duration) -> Result<Answer, NoAnswer> {
    // A server is first asked in the way of protocol 2026-07-28, and whatever its error is, in the older way. Most older
    // servers answer that they know no such method; the others, which exit or stay silent, are started again.
    let newest = ClientLifecycleMode::Auto { preferred_versions: vec![ProtocolVersion::LATEST], legacy_version: None };
    let first = asked_so(command, directory, limit, newest).await;
    let is_final = match &first {
        Ok(answer) => answer.is_ok(),
        Err(NoAnswer::TooSlow(_)) => limit > SILENT,
        Err(_) => true,
    };
    let answer =
        if is_final { first } else { asked_so(command, directory, limit, ClientLifecycleMode::Initialize).await };
    answer?.map_err(|Refusal(what)| NoAnswer::Failed(what))
}

/// The error that a server returned in place of an answer.
struct Refusal(String);

/// Asks for the tools with one kind of greeting.
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
        // If a provider is already installed, this fails, and that provider is used.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let transport = StreamableHttpClientTransport::from_uri(program.as_str());
        return within(limit, talk(transport, greeting)).await;
    }
    let mut command = CommandWrap::with_new(program, |command| {
        command.args(args).current_dir(directory);
    });
    // The command often starts the server as a child process: all of these processes are terminated together.
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
                // Only the end of the output is kept: it is the part that contains the reason for a failure.
                let surplus = said.len().saturating_sub(MAX_SAID);
                said.drain(..surplus);
            }
        }
        String::from_utf8_lossy(&said).trim().to_string()
    });
    let outcome = within(limit, talk(transport, greeting)).await;
    if outcome.is_err() {
        // A process dropped midway is killed by a separate task, which needs time to run.
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
    // After a wrapper has ended, its children may still run.
    drop(group);
    match outcome? {
        Ok(answer) => Ok(Ok(answer)),
        Err(Refusal(what)) => {
            let said = tokio::time::timeout(Duration::from_secs(1), said).await.ok().and_then(Result::ok);
            let said = said.filter(|said| !said.is_empty()).map(|said| format!("; its output was:\n{said}"));
            Ok(Err(Refusal(format!("{what}{}", said.unwrap_or_default()))))
        }
    }
}

/// The processes started for one answer, which are killed on drop.
struct Group(#[cfg_attr(not(unix), expect(dead_code))] Option<u32>);

impl Drop for Group {
    fn drop(&mut self) {
        #[cfg(unix)]
        if let Some(leader) = self.0.and_then(|leader| i32::try_from(leader).ok()) {
            use nix::sys::signal::{Signal, killpg};
            // An error means that no process of the group is left.
            let _ = killpg(nix::unistd::Pid::from_raw(leader), Signal::SIGKILL);
        }
    }
}

/// Opens a session, asks for every page of tools, and closes the session. If the server was started here, closing waits
/// until it has ended.
async fn talk<E, A>(
    transport: impl IntoTransport<RoleClient, E, A>,
    greeting: ClientLifecycleMode,
) -> Result<Answer, Refusal>
where
    E: std::error::Error + Send + Sync + 'static,
{
    let mut client = ().serve_with_lifecycle(transport, greeting).await.map_err(|error| Refusal(error.to_string()))?;
    let server_info = client.peer_info().and_then(|info| serde_json::to_value(&info.server_info).ok());
    let listed = every_page(&client).await;
    // A server that does not exit by itself is killed; its answer is complete by then.
    let _ = tokio::time::timeout(MAX_GOODBYE, client.close()).await;
    Ok(Answer { server_info: server_info.unwrap_or_default(), ..listed? })
}

/// Asks for every page of tools. The answer lacks the server's name and version.
async fn every_page(client: &RunningService<RoleClient, ()>) -> Result<Answer, Refusal> {
    let mut answer = Answer { server_info: Value::Null, tools: Vec::new(), ttl_ms: None, cache_scope: None };
    let mut cursor = None;
    loop {
        let asked = PaginatedRequestParams::default().with_cursor(cursor);
        let page = client.list_tools(Some(asked)).await.map_err(|error| Refusal(error.to_string()))?;
        answer.tools.extend(page.tools.into_iter().filter_map(|tool| serde_json::to_value(tool).ok()));
        // The list is as short-lived as the first of its pages to expire, and as private as the most private one.
        answer.ttl_ms = answer.ttl_ms.into_iter().chain(page.ttl_ms).min();
        if answer.cache_scope.as_ref().is_none_or(|scope| scope != "private") {
            let scope = page.cache_scope.and_then(|scope| serde_json::to_value(scope).ok());
            answer.cache_scope = scope.or(answer.cache_scope);
        }
        cursor = page.next_cursor;
        if cursor.is_none() {
            return Ok(answer);
        }
    }
}

/// Returns the result of a future within a limit, unless this program is interrupted first.
async fn within<T>(limit: Duration, answer: impl Future<Output = T>) -> Result<T, NoAnswer> {
    tokio::select! {
        answer = tokio::time::timeout(limit, answer) => answer.map_err(|_| NoAnswer::TooSlow(limit)),
        () = interrupted() => Err(NoAnswer::Interrupted),
    }
}

/// Waits until a signal asks this program to end.
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

/// The time after which a server that does not answer the newer greeting is sent the older one, with a margin.
const SILENT: Duration = Duration::from_secs(12);
/// The time that a server has to exit after it was asked to.
const MAX_GOODBYE: Duration = Duration::from_secs(5);
/// The maximum number of bytes of a server's standard error that are kept.
const MAX_SAID: usize = 2_000;
