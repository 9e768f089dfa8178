import { type ReactNode, type RefObject, useLayoutEffect, useRef } from 'react'
import { createPortal } from 'react-dom'
import { getNamedElement, nameElement } from '#src/lib/named-elements.ts'
import { useDocumentEvent } from '#src/lib/use-document-event.ts'
import {
  type MorningQueueAction,
  resolveMorningQueueKeyPress,
  shouldHandleMorningQueueKey,
} from './morning-queue-keys.ts'

type QueueFrameProps = {
  title: string
  /** A new value scrolls the content to the top. */
  scrollKey: string
  onKey: (key: MorningQueueAction) => void
  header: ReactNode
  footer: ReactNode
  children: ReactNode
}

/** Has no focus trap, unlike other modals, because toasts and the popovers of its buttons must remain reachable. */
export function MorningQueueFrame({ title, scrollKey, onKey, header, footer, children }: QueueFrameProps) {
  const content = useRef<HTMLElement>(null)
  useBackground(content)

  useLayoutEffect(() => {
    if (scrollKey && content.current) content.current.scrollTop = 0
  }, [scrollKey])

  useDocumentEvent(
    'keydown',
    (event) => {
      const panel = getNamedElement('morningQueue')
      if (event.defaultPrevented || !panel || !shouldHandleMorningQueueKey(event.target, event, panel)) return
      const key = resolveMorningQueueKeyPress(event)
      if (!key) return
      event.preventDefault()
      // Stop the event, because Ctrl+Z would otherwise also undo the change behind an older toast.
      event.stopPropagation()
      onKey(key)
    },
    true,
  )

  return createPortal(
    <div
      ref={nameElement('morningQueue')}
      role="dialog"
      aria-modal="true"
      aria-label={title}
      tabIndex={-1}
      // Popovers of the footer buttons return focus to the panel; pass it on to the content, so that arrow keys scroll.
      onFocus={(event) => event.target === event.currentTarget && content.current?.focus({ preventScroll: true })}
      className="fixed inset-0 z-40 flex flex-col bg-canvas text-ink print:hidden"
    >
      {header}
      <section
        ref={content}
        tabIndex={0}
        aria-label="โครงการที่กำลังดู"
        className="group/queue min-h-0 flex-1 overflow-y-auto overscroll-contain outline-none"
      >
        {children}
      </section>
      {footer}
    </div>,
    document.body,
  )
}

function useBackground(content: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const root = document.getElementById('root')
    const opener = document.activeElement
    if (!content.current?.contains(opener)) content.current?.focus({ preventScroll: true })
    const { documentElement: page } = document
    const { overflow } = page.style
    page.style.overflow = 'hidden'
    root?.setAttribute('inert', '')
    return () => {
      page.style.overflow = overflow
      root?.removeAttribute('inert')
      // Wait for the re-render, which may replace the opener.
      setTimeout(() => {
        if (document.activeElement !== document.body) return
        const canRefocusOpener = opener instanceof HTMLElement && opener !== document.body && opener.isConnected
        ;(canRefocusOpener ? opener : getNamedElement('queueStart'))?.focus()
      })
    }
  }, [content])
}
