import { errorMessage } from '#src/api/http/problem-error.ts'
import { countText } from '#src/lib/money-text.ts'
import { rescueProjects } from '#src/matching/api/rescue-projects.ts'
import { showToast } from '#src/ui/overlay/toast.ts'

/** Adds projects to the report or hides them again, with undo for ten seconds. */
export function rescue(ids: readonly string[], rescued: boolean): void {
  const many = `${countText(ids.length)} โครงการ`
  const words = rescued ? `นำเข้ารายงาน ${many}` : `ซ่อน ${many}อีกครั้ง`
  const turn = (to: boolean, failed: string) =>
    rescueProjects(ids, to).catch((error: unknown) =>
      showToast({
        tone: 'error',
        text: `${failed}ไม่สำเร็จ ${errorMessage(error)}`,
        action: { label: 'ลองใหม่', run: () => void turn(to, failed) },
      }),
    )
  void turn(rescued, words)
  showToast({
    tone: 'done',
    text: `${words}แล้ว`,
    action: { label: 'เลิกทำ', run: () => void turn(!rescued, 'เลิกทำ') },
  })
}
