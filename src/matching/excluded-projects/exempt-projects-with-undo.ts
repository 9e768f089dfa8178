import { formatCount } from '#contract/thai/thai-number.ts'
import { formatErrorMessage } from '#src/lib/problem-error.ts'
import { setProjectsExemptFromExclusion } from '#src/matching/api/set-projects-exempt-from-exclusion.ts'
import { showToast } from '#src/ui/overlay/toast.ts'

export function exemptProjectsFromExclusionWithUndo(ids: readonly string[], rescued: boolean): void {
  const many = `${formatCount(ids.length)} โครงการ`
  const words = rescued ? `นำเข้ารายงาน ${many}` : `ซ่อน ${many}อีกครั้ง`
  const applyRescue = (to: boolean, failed: string) =>
    setProjectsExemptFromExclusion(ids, to).catch((error: unknown) =>
      showToast({
        tone: 'error',
        text: `${failed}ไม่สำเร็จ ${formatErrorMessage(error)}`,
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
