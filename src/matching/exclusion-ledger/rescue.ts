import { errorMessage } from '#src/api/http/problem-error.ts'
import { countText } from '#src/lib/figure-text.ts'
import { rescueProjects } from '#src/matching/api/rescue-projects.ts'
import { showToast } from '#src/ui/overlay/toast.ts'

export function rescueWithUndo(ids: readonly string[], rescued: boolean): void {
  const many = `${countText(ids.length)} โครงการ`
  const words = rescued ? `นำเข้ารายงาน ${many}` : `ซ่อน ${many}อีกครั้ง`
  const applyRescue = (to: boolean, failed: string) =>
    rescueProjects(ids, to).catch((error: unknown) =>
      showToast({
        tone: 'error',
        text: `${failed}ไม่สำเร็จ ${errorMessage(error)}`,
        action: { label: 'ลองใหม่', run: () => void applyRescue(to, failed) },
      }),
    )
  void applyRescue(rescued, words)
  showToast({
    tone: 'done',
    text: `${words}แล้ว`,
    action: { label: 'เลิกทำ', run: () => void applyRescue(!rescued, 'เลิกทำ') },
  })
}
