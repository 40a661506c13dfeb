;;; The language server in Emacs with lsp-mode: a finding, its repair, a rename into a file that is not open.  -*- lexical-binding: t -*-
;; run.sh starts this with `emacs -Q --batch -l`, the server as `toolnames' on $PATH, and the variables that it names.
;; The setting is the one of docs/editors/emacs.md.

(load (expand-file-name "emacs_smoke.el" (file-name-directory load-file-name)) nil t)
(require 'lsp-mode)

(setq client "lsp-mode"
      lsp-auto-guess-root t
      lsp-enable-suggest-server-download nil
      lsp-enable-file-watchers nil
      lsp-enable-snippet nil
      ;; Parts of the package that only its autoloads know, and `-Q' leaves those out.
      lsp-headerline-breadcrumb-enable nil
      lsp-modeline-workspace-status-enable nil
      lsp-modeline-diagnostics-enable nil
      lsp-modeline-code-actions-enable nil
      lsp-restart 'ignore
      lsp-idle-delay 0.05
      lsp-session-file (make-temp-name (expand-file-name "lsp-session" temporary-file-directory)))
(set-as-the-page-says "```emacs-lisp")

(let* ((workspace (copied-workspace))
       (settings (concat workspace (given "SMOKE_SETTINGS")))
       (source (concat workspace (given "SMOKE_SOURCE")))
       (misspelt (given "SMOKE_MISSPELT"))
       (repaired (given "SMOKE_REPAIRED"))
       (tool (given "SMOKE_TOOL"))
       (renamed (given "SMOKE_RENAMED"))
       (found nil))
  (find-file settings)
  (lsp)
  (check "lsp-mode manages the settings" (eventually (lsp-workspaces)))
  (goto-char (point-min))
  (search-forward misspelt)
  (goto-char (match-beginning 0))
  (check "the finding is there"
         (eventually (setq found (cl-find-if (lambda (it) (string-match-p "did you mean" (lsp:diagnostic-message it)))
                                             (lsp-cur-line-diagnostics))))
         (lsp-diagnostics t))
  (let* ((title (format "Replace with `%s`" repaired))
         (actions (lsp-code-actions-at-point))
         (action (cl-find title actions :key #'lsp:code-action-title :test #'equal)))
    (check (concat "the menu offers: " title) action actions)
    (lsp-execute-code-action action))
  (check "the repair is made" (eventually (reads (format "\"%s\"" repaired))))
  (save-buffer)
  (check "and on disk" (holds settings (format "\"%s\"" repaired)))

  (find-file source)
  (lsp)
  (check "lsp-mode manages the source" (eventually (lsp-workspaces)))
  (goto-char (point-min))
  (search-forward (format "\"%s\"" tool))
  (goto-char (+ 2 (match-beginning 0)))
  (lsp-rename renamed)
  (check "the source has the new name" (eventually (reads (format "\"%s\"" renamed))))
  (save-some-buffers t)
  (check "so have the settings, on disk"
         (holds settings (replace-regexp-in-string (regexp-quote tool) renamed repaired t t)))
  (let ((process (lsp--workspace-cmd-proc (car (lsp-workspaces)))))
    (lsp-workspace-shutdown (car (lsp-workspaces)))
    (check "its server is gone" (eventually (not (process-live-p process)))))
  (delete-directory (file-name-directory (directory-file-name workspace)) t))
