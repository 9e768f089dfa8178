import type { BudgetLink, LinkDecision } from '#contract/budget.ts'
import { decideLink } from '#src/api/budgets.ts'
import { errorWords } from '#src/api/error-words.ts'
import { showToast, withdrawToast } from '#src/ui/toast.ts'

const DONE: Readonly<Record<NonNullable<LinkDecision>, string>> = {
  confirmed: 'ยืนยันว่าโครงการนี้มาจากรายการนี้แล้ว',
  rejected: 'ตัดโครงการนี้ออกจากรายการนี้แล้ว',
}

/** Stores what the organisation says about a link, tells it with a way back, and tells a failure with a way to try again. */
export async function sayAboutLink(id: number, link: BudgetLink, decision: LinkDecision): Promise<void> {
  const key = `budget-link ${id} ${link.project_id}`
  const before = link.decision
  showToast({
    key,
    tone: 'done',
    text: decision === null ? 'เอาคำตัดสินออกแล้ว' : DONE[decision],
    action: { label: 'เลิกทำ', run: () => void sayAboutLink(id, { ...link, decision }, before) },
  })
  try {
    await decideLink(id, link.project_id, decision)
  } catch (error) {
    withdrawToast(key)
    showToast({
      key,
      tone: 'error',
      text: `บันทึกไม่สำเร็จ ${errorWords(error)}`,
      action: { label: 'ลองใหม่', run: () => void sayAboutLink(id, link, decision) },
    })
  }
}
