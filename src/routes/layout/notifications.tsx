import { bangkokToday } from '#contract/thai/thai-date.ts'
import type { User } from '#contract/user/user.ts'
import { StarButton } from '#src/features/bookmarks/star-button.tsx'
import { HideButton } from '#src/features/hidden-projects/hide-button.tsx'
import { NotificationPanel } from '#src/features/notifications/notification-panel.tsx'
import { serverNow } from '#src/lib/session-store.ts'
import { showToast } from '#src/ui/overlay/toast.ts'

async function download(id: string, file_name: string): Promise<void> {
  try {
    const { saveExport } = await import('#src/features/report-export/follow-export.ts')
    await saveExport({ id, file_name })
  } catch {
    showToast({
      tone: 'error',
      text: `ดาวน์โหลด ${file_name} ไม่สำเร็จ`,
      action: { label: 'ลองใหม่', run: () => void download(id, file_name) },
    })
  }
}

/** What the bell's popover shows, with star and hide for each project in it; loaded when the popover opens. */
export function Notifications({ user }: { user: User }) {
  return (
    <NotificationPanel
      group={user.notification_updated_status}
      today={bangkokToday(serverNow())}
      projectActions={({ id, name }) => (
        <>
          <StarButton projectId={id} name={name} isStarred={user.project_bookmark.includes(id)} />
          <HideButton projectId={id} name={name} isHidden={user.project_hidden.includes(id)} />
        </>
      )}
      onDownload={(id, name) => void download(id, name)}
    />
  )
}
