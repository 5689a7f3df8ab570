;; Emacs message-mode, with its citation styles and with supercite.
;; emacs -batch -l emacs.el PARENT STYLE HOW TEXT
(require 'message)
(require 'supercite)
(require 'sendmail)
(let ((parent (pop command-line-args-left))
      (style (pop command-line-args-left))
      (how (pop command-line-args-left))
      (text (replace-regexp-in-string "\\\\n" "\n" (pop command-line-args-left))))
  (setq user-full-name "Björn Black" user-mail-address "black@example.test"
        mail-host-address "black.example.test"
        message-user-fqdn "black.example.test"
        message-signature nil message-confirm-send nil
        message-send-mail-function #'message-send-mail-with-sendmail
        send-mail-function #'sendmail-send-it
        sendmail-program (expand-file-name "sendmail" (getenv "MAKE"))
        message-kill-buffer-on-exit t message-interactive t
        mail-archive-file-name nil message-fcc-handler-function #'ignore
        message-generate-headers-first nil
        sc-auto-fill-region-p nil sc-fixup-whitespace-p nil sc-confirm-always-p nil
        sc-preferred-attribution-list '("initials") sc-nested-citation-p nil
        sc-preferred-header-style 0)
  (set-language-environment "UTF-8")
  (find-file parent)
  (rename-buffer "*parent*")
  (cond
   ((string= style "supercite")
    (setq message-cite-function #'sc-cite-original))
   ((string= style "forward"))
   ((string= style "html"))
   (t (let ((settings (symbol-value (intern (concat "message-cite-style-" style)))))
        (dolist (setting settings)
          (set (car setting) (eval (cadr setting) t))))))
  (if (string= style "forward")
      (progn (message-forward-make-body (current-buffer))
             (message-goto-to) (insert "white@example.test"))
    (message-reply)
    (message-goto-body)
    (let ((message-cite-reply-position
           (if (boundp 'message-cite-reply-position) message-cite-reply-position 'traditional)))
      (message-yank-original)))
  (let ((body (progn (message-goto-body) (point))))
    (cond
     ((string= how "top") (goto-char body) (insert text "\n\n"))
     ((string= how "bottom") (goto-char (point-max))
      (skip-chars-backward " \t\n") (delete-region (point) (point-max))
      (insert "\n\n" text "\n"))
     ((string= how "fill") (goto-char body)
      (re-search-forward "1\\.  P>e3")
      (insert "    " text))))
  (message-send-and-exit))
