import { BellOff, CheckCheck } from 'lucide-react'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { MAX_NOTIFICATIONS, type NotificationGroup } from '#contract/account/notification.ts'
import type { User } from '#contract/account/user.ts'
import { formatCount } from '#contract/thai/thai-number.ts'
import { useElements } from '#src/lib/use-elements.ts'
import { useOnChange } from '#src/lib/use-on-change.ts'
import { StarButton } from '#src/report/bookmarks/star-button.tsx'
import { HideProjectButton } from '#src/report/hidden-projects/hide-project-button.tsx'
import { Button, getButtonClasses } from '#src/ui/button.tsx'
import { EmptyState } from '#src/ui/empty-state.tsx'
import { EventDelegationBox } from '#src/ui/event-delegation-box.tsx'
import { Tabs } from '#src/ui/tabs.tsx'
import { VisuallyHidden } from '#src/ui/visually-hidden.tsx'
import {
  filterNotificationsByTab,
  groupNotificationsByDay,
  NOTIFICATION_TABS,
  type NotificationTab,
} from './group-notifications.ts'
import { clearUnreadNotificationDot, findNewestNotificationId, markAllNotificationsRead } from './mark-notifications.ts'
import { NotificationItem } from './notification-item.tsx'

const LIST_ID = 'notification-list'

type NotificationPanelProps = {
  user: User
  today: string
  /** Closes the popover, because a notification opens in the same tab on a phone and in the installed app. */
  onClose: () => void
}

/** The bell's popover, with star and hide for each project (specification section 2). Lazy-loaded when it opens. */
export function NotificationPanel({ user, today, onClose }: NotificationPanelProps) {
  const { notification_updated_status: group, project_bookmark: starred, project_hidden: hidden } = user
  const [tab, setTab] = useState<NotificationTab>('All')
  const root = useRef<HTMLDivElement>(null)
  const allNotifications = filterNotificationsByTab('All', group.notifications)
  const tabNotifications = filterNotificationsByTab(tab, group.notifications)
  const unread = allNotifications.filter(({ read: isRead }) => !isRead).length
  useClickRead(group)
  const links = useElements<string | number>()
  const groups = groupNotificationsByDay(tabNotifications, today)
  const getItems = () =>
    groups.flatMap(({ clusters }) => clusters.flatMap(({ items }) => items.map(({ id }) => links.get(id) ?? [])).flat())
  // Focus the first notification once the list has loaded and when the focused item disappears; an empty list receives
  // the focus itself, for its keys.
  useOnChange(tabNotifications.length, () => {
    const { activeElement, body } = document
    const element = root.current
    if (!element || (activeElement !== body && activeElement !== element.closest('[role="dialog"]'))) return
    ;(getItems()[0] ?? element).focus({ preventScroll: true })
  })

  return (
    <EventDelegationBox
      ref={root}
      tabIndex={-1}
      onKeyDown={(event) => moveFocus(event, getItems())}
      className="outline-none"
    >
      <div className="flex min-h-11 items-center gap-2 border-b border-line pr-1.5 pl-4">
        <h2 className="font-semibold">การแจ้งเตือน</h2>
        <span className="text-sm text-ink-muted tabular-nums" role="status">
          {unread > 0 ? `ยังไม่อ่าน ${formatCount(unread)}` : allNotifications.length > 0 ? 'อ่านครบแล้ว' : ''}
        </span>
        {allNotifications.length > 0 && (
          <Button
            variant="quiet"
            size="sm"
            icon={CheckCheck}
            // The button is not `disabled`, because it would lose the focus on click.
            aria-disabled={unread === 0}
            onClick={() => unread > 0 && markAllNotificationsRead(allNotifications)}
            className="ml-auto aria-disabled:opacity-50"
          >
            ทำเป็นอ่านแล้ว
          </Button>
        )}
      </div>
      <Tabs
        label="ชนิดของการแจ้งเตือน"
        items={NOTIFICATION_TABS}
        value={tab}
        onChange={setTab}
        panelId={LIST_ID}
        className="border-b border-line px-1.5 text-sm"
      />
      <div id={LIST_ID} role="tabpanel" aria-label="รายการแจ้งเตือน" className="max-h-[400px] overflow-y-auto">
        {tabNotifications.length === 0 ? (
          <EmptyState
            icon={BellOff}
            title={EMPTY_TEXTS[tab][0]}
            actions={
              <a href="/report" className={getButtonClasses('secondary', 'sm')}>
                ไปเลือกโครงการติดดาว
              </a>
            }
          >
            {EMPTY_TEXTS[tab][1]}
          </EmptyState>
        ) : (
          groups.map(({ day, title, clusters }) => (
            <section key={day} aria-label={title}>
              <h3 className="sticky top-0 z-10 border-b border-line bg-surface px-4 py-1 text-xs font-medium text-ink-muted">
                {title}
              </h3>
              <ul className="divide-y divide-line px-2">
                {clusters.map(({ key, items, projectId, name }) => (
                  <li key={key} className="flex items-start gap-0.5 py-1">
                    <div className="min-w-0 flex-1">
                      {items.map((notification, at) => (
                        <NotificationItem
                          key={notification.id}
                          ref={links.refOf(notification.id)}
                          notification={notification}
                          today={today}
                          showsName={at === 0}
                          onNavigate={onClose}
                          isFirst={notification === tabNotifications[0]}
                        />
                      ))}
                    </div>
                    {projectId != null && (
                      <span className="flex shrink-0 flex-col pt-1.5">
                        <StarButton projectId={projectId} name={name} isStarred={starred.includes(projectId)} />
                        <HideProjectButton projectId={projectId} name={name} isHidden={hidden.includes(projectId)} />
                      </span>
                    )}
                  </li>
                ))}
              </ul>
            </section>
          ))
        )}
        {tab === 'All' && group.notifications.length >= MAX_NOTIFICATIONS && (
          <p className="border-t border-line px-4 py-2 text-center text-xs text-ink-muted">
            แสดง {MAX_NOTIFICATIONS} รายการล่าสุด
          </p>
        )}
      </div>
      <VisuallyHidden live>{`${formatCount(tabNotifications.length)} รายการ`}</VisuallyHidden>
    </EventDelegationBox>
  )
}

const EMPTY_TEXTS: Readonly<Record<NotificationTab, readonly [title: string, hint: string]>> = {
  All: ['ยังไม่มีการแจ้งเตือน', 'ติดดาวโครงการที่สนใจ แล้วจะแจ้งเมื่อข้อมูลเปลี่ยนหรือเหลือไม่เกิน 7 วัน'],
  Updated: ['ยังไม่มีโครงการที่ข้อมูลเปลี่ยน', 'โครงการที่ติดดาวไว้จะมาที่นี่เมื่อวัน ราคา หรือขั้นตอนเปลี่ยน'],
  Discussion_date_end: ['ไม่มีโครงการที่ช่วงวิจารณ์ใกล้สิ้นสุด', 'โครงการที่ติดดาวไว้จะมาที่นี่เมื่อเหลือเวลาวิจารณ์ร่างไม่เกิน 7 วัน'],
  Submission_date_end: ['ไม่มีโครงการที่ใกล้วันยื่นข้อเสนอ', 'โครงการที่ติดดาวไว้จะมาที่นี่เมื่อเหลือเวลายื่นไม่เกิน 7 วัน'],
}

/**
 * Sets `clickRead` to false while the popover is open with unread items (specification section 4), also when new items
 * arrive. Sends the change once per newest notification, so that a refused change is not repeated forever.
 */
function useClickRead({ clickRead, notifications }: NotificationGroup): void {
  const hasUnread = notifications.some(({ read: isRead }) => !isRead)
  const newest = findNewestNotificationId(notifications)
  const sentFor = useRef<string>(undefined)
  useEffect(() => {
    if (!clickRead || !hasUnread || sentFor.current === newest) return
    sentFor.current = newest
    clearUnreadNotificationDot()
  }, [clickRead, hasUnread, newest])
}

function moveFocus(event: KeyboardEvent<HTMLElement>, items: readonly HTMLElement[]): void {
  const { activeElement: focused } = document
  const project = focused?.closest('li')
  const focusedIndex = items.findIndex((item) => item === focused)
  const at = focusedIndex === -1 && project ? items.findIndex((item) => project.contains(item)) : focusedIndex
  const last = items.length - 1
  const to = { ArrowDown: Math.min(at + 1, last), ArrowUp: Math.max(at - 1, 0), Home: 0, End: last }[event.key]
  const target = to === undefined ? undefined : items[to]
  if (!target || (at === -1 && event.key !== 'ArrowDown')) return
  event.preventDefault()
  target.focus()
}
