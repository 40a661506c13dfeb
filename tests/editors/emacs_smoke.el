;;; What the checks of eglot and of lsp-mode share.  -*- lexical-binding: t -*-

(when (< emacs-major-version 29)        ; Debian's packages lie where `-Q' does not look.
  (dolist (folder (file-expand-wildcards "/usr/share/emacs/site-lisp/elpa/*"))
    (add-to-list 'load-path folder)))
(require 'cl-lib)

(defvar client nil "Which of Emacs' clients is tried.")
(defvar began (float-time))
(defvar here (file-name-directory load-file-name))

(defun check (what passed &optional found)
  "Says how a check went; what follows a failed one would fail too, so that is the end."
  (princ (format "%-4s  %-8s %5.2fs  %s\n" (if passed "ok" "FAIL") client (- (float-time) began) what))
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

(defun reads (text)
  "Whether TEXT stands in the current buffer."
  (save-excursion (goto-char (point-min)) (search-forward text nil t)))

(defun set-as-the-page-says (fence)
  "Evaluates what docs/editors/emacs.md has between FENCE and the next line that closes a block."
  (let (start)
    (with-temp-buffer
      (insert-file-contents (expand-file-name "../../docs/editors/emacs.md" here))
      (re-search-forward (concat "^" (regexp-quote fence) "\n"))
      (setq start (point))
      (re-search-forward "^```$")
      (eval (car (read-from-string (concat "(progn " (buffer-substring start (match-beginning 0)) ")"))) t))))

(defun copied-workspace ()
  "A repository of its own that holds what is tried."
  (let ((workspace (concat (file-name-as-directory (make-temp-file "emacs" t)) "workspace/")))
    (call-process "cp" nil nil nil "-R" (given "SMOKE_WORKSPACE") (directory-file-name workspace))
    (let ((default-directory workspace))
      (call-process "git" nil nil nil "init" "-q"))
    workspace))

(setq make-backup-files nil
      create-lockfiles nil)
;; The package of that name is none of Emacs'.
(unless (fboundp 'typescript-mode)
  (define-derived-mode typescript-mode prog-mode "TypeScript")
  (add-to-list 'auto-mode-alist '("\\.ts\\'" . typescript-mode)))
;; Edits of several files are asked about.
(advice-add 'y-or-n-p :override (lambda (&rest _) t))
