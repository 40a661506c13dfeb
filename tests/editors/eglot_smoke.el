;;; The language server in Emacs with eglot: a finding, its repair, a rename into a file that is not open.  -*- lexical-binding: t -*-
;; run.sh starts this with `emacs -Q --batch -l`, the server as `toolnames' on $PATH, and the variables that it names.
;; The setting is the one of docs/editors/emacs.md.

(load (expand-file-name "emacs_smoke.el" (file-name-directory load-file-name)) nil t)
(require 'eglot)
(require 'flymake)

(setq client "eglot"
      eglot-sync-connect 15
      eglot-autoshutdown nil
      eglot-send-changes-idle-time 0
      eglot-confirm-server-initiated-edits nil
      flymake-no-changes-timeout 0.05)
(set-as-the-page-says "```elisp")

(let* ((workspace (copied-workspace))
       (settings (concat workspace (given "SMOKE_SETTINGS")))
       (source (concat workspace (given "SMOKE_SOURCE")))
       (misspelt (given "SMOKE_MISSPELT"))
       (repaired (given "SMOKE_REPAIRED"))
       (tool (given "SMOKE_TOOL"))
       (renamed (given "SMOKE_RENAMED")))
  (find-file settings)
  (call-interactively 'eglot)
  (check "eglot manages the settings" (eventually (eglot-managed-p)))
  (flymake-mode 1)
  (flymake-start)
  (goto-char (point-min))
  (search-forward misspelt)
  (goto-char (match-beginning 0))
  (check "the finding is there"
         (eventually (cl-find-if (lambda (found) (string-match-p "did you mean" (flymake-diagnostic-text found)))
                                 (flymake-diagnostics (point) (line-end-position))))
         (mapcar #'flymake-diagnostic-text (flymake-diagnostics)))
  (let* ((title (format "Replace with `%s`" repaired))
         (actions (eglot-code-actions (point) (point)))
         (action (cl-find title actions :key (lambda (action) (plist-get action :title)) :test #'equal)))
    (check (concat "the menu offers: " title) action actions)
    (if (fboundp 'eglot-execute)
        (eglot-execute (eglot-current-server) action)
      (eglot--apply-workspace-edit (plist-get action :edit))))
  (check "the repair is made" (eventually (reads (format "\"%s\"" repaired))))
  (save-buffer)
  (check "and on disk" (holds settings (format "\"%s\"" repaired)))
  (let ((server (eglot-current-server)))
    (eglot-shutdown server))
  (kill-buffer)

  (find-file source)
  (call-interactively 'eglot)
  (check "eglot manages the source" (eventually (eglot-managed-p)))
  (goto-char (point-min))
  (search-forward (format "\"%s\"" tool))
  (goto-char (+ 2 (match-beginning 0)))
  (eglot-rename renamed)
  (check "the source has the new name"
         (eventually (reads (format "\"%s\"" renamed))))
  (save-some-buffers t)
  (check "so have the settings, on disk"
         (holds settings (replace-regexp-in-string (regexp-quote tool) renamed repaired t t)))
  (let* ((server (eglot-current-server))
         (process (jsonrpc--process server)))
    (eglot-shutdown server)
    (check "its server is gone" (eventually (not (process-live-p process)))))
  (delete-directory (file-name-directory (directory-file-name workspace)) t))
