import { BID_DECISIONS, type BidDecision } from '#contract/team/pursuit.ts'
import { patchPursuit } from '#src/team/api/pursuit-patches.ts'

export function toggleBidDecision(id: string, next: BidDecision, current: BidDecision | null): BidDecision | null {
  const decision = current === next ? null : next
  const name = BID_DECISIONS.find(({ code }) => code === next)!.th
  void patchPursuit(id, [{ action: 'decide', decision }], {
    failed: 'บันทึกการตัดสินใจไม่สำเร็จ',
    done: decision === null ? 'ยกเลิกการตัดสินใจแล้ว' : `ตัดสินใจ${name}แล้ว`,
  })
  return decision
}
