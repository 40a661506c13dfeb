;;; The language server in Emacs with eglot: a finding, its repair, a rename into a file that is not open.  -*- lexical-binding: t -*-
;; run.sh starts this with `emacs -Q --batch -l`, the server as `toolnames' on $PATH, and the variables that it names.
;; The setting is the one of docs/editors/emacs.md.

(when (< emacs-major-version 29)        ; Debian's package lies where `-Q' does not look.
  (dolist (folder (file-expand-wildcards "/usr/share/emacs/site-lisp/elpa/*"))
    (add-to-list 'load-path folder)))
(require 'cl-lib)
(require 'eglot)
(require 'flymake)

(defvar began (float-time))

(defun check (what passed &optional found)
  "Says how a check went; what follows a failed one would fail too, so that is the end."
  (princ (format "%-4s  eglot   %5.2fs  %s\n" (if passed "ok" "FAIL") (- (float-time) began) what))
  (unless passed
    (message "%s: found %S" what found)
    (kill-emacs 1)))

(defmacro eventually (form)
  `(let ((end (+ (float-time) 15)) value)
     (while (and (not (setq value ,form)) (< (float-time) end))
       (accept-process-output nil 0.05))
     value))

(defun given (variable) (or (getenv variable) (error "%s is not set" variable)))

(defun on-disk (file)
  (with-temp-buffer
    (set-buffer-multibyte nil)
    (insert-file-contents-literally file)
    (buffer-string)))

(defun holds (file text) (string-match-p (regexp-quote text) (on-disk file)))

(setq eglot-sync-connect 15
      eglot-autoshutdown nil
      eglot-send-changes-idle-time 0
      eglot-confirm-server-initiated-edits nil
      flymake-no-changes-timeout 0.05
      make-backup-files nil
      create-lockfiles nil)
;; The package of that name is none of Emacs'.
(unless (fboundp 'typescript-mode)
  (define-derived-mode typescript-mode prog-mode "TypeScript")
  (add-to-list 'auto-mode-alist '("\\.ts\\'" . typescript-mode)))
;; Edits of several files are asked about.
(advice-add 'y-or-n-p :override (lambda (&rest _) t))

(let* ((page (expand-file-name "../../docs/editors/emacs.md" (file-name-directory load-file-name)))
       (start nil))
  (with-temp-buffer
    (insert-file-contents page)
    (re-search-forward "^```elisp\n")
    (setq start (point))
    (re-search-forward "^```$")
    (eval (car (read-from-string (concat "(progn " (buffer-substring start (match-beginning 0)) ")"))) t)))

(let* ((folder (file-name-as-directory (make-temp-file "eglot" t)))
       (workspace (concat folder "workspace/"))
       (settings (concat workspace (given "SMOKE_SETTINGS")))
       (source (concat workspace (given "SMOKE_SOURCE")))
       (misspelt (given "SMOKE_MISSPELT"))
       (repaired (given "SMOKE_REPAIRED"))
       (tool (given "SMOKE_TOOL"))
       (renamed (given "SMOKE_RENAMED")))
  (call-process "cp" nil nil nil "-R" (given "SMOKE_WORKSPACE") (directory-file-name workspace))
  (let ((default-directory workspace))
    (call-process "git" nil nil nil "init" "-q"))

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
  (let* ((title (format "Replace by `%s`" repaired))
         (actions (eglot-code-actions (point) (point)))
         (action (cl-find title actions :key (lambda (action) (plist-get action :title)) :test #'equal)))
    (check (concat "the menu offers: " title) action actions)
    (if (fboundp 'eglot-execute)
        (eglot-execute (eglot-current-server) action)
      (eglot--apply-workspace-edit (plist-get action :edit))))
  (check "the repair is made" (eventually (save-excursion (goto-char (point-min)) (search-forward (format "\"%s\"" repaired) nil t))))
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
         (eventually (save-excursion (goto-char (point-min)) (search-forward (format "\"%s\"" renamed) nil t))))
  (save-some-buffers t)
  (check "so have the settings, on disk"
         (holds settings (replace-regexp-in-string (regexp-quote tool) renamed repaired t t)))
  (let* ((server (eglot-current-server))
         (process (jsonrpc--process server)))
    (eglot-shutdown server)
    (check "its server is gone" (eventually (not (process-live-p process)))))
  (delete-directory folder t))
