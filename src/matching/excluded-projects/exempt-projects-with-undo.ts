import { formatCount } from '#contract/thai/thai-number.ts'
import { setProjectsExemptFromExclusion } from '#src/matching/api/set-projects-exempt-from-exclusion.ts'
import { showDoneToast, showFailureToast } from '#src/ui/overlay/outcome-toasts.ts'

export function exemptProjectsFromExclusionWithUndo(ids: readonly string[], rescued: boolean): void {
  const many = `${formatCount(ids.length)} โครงการ`
  const words = rescued ? `นำเข้ารายงาน ${many}` : `ซ่อน ${many}อีกครั้ง`
  const applyRescue = (to: boolean, failed: string) =>
    setProjectsExemptFromExclusion(ids, to).catch((error: unknown) =>
      showFailureToast(`${failed}ไม่สำเร็จ`, error, () => void applyRescue(to, failed)),
    )
  void applyRescue(rescued, words)
  showDoneToast(`${words}แล้ว`, () => void applyRescue(!rescued, 'เลิกทำ'))
}
