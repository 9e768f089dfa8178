import { Target } from 'lucide-react'
import { type FitEvidence, MIN_FIT_EXAMPLES } from '#contract/matching/fit.ts'
import { formatCount } from '#contract/thai/thai-number.ts'
import { QualificationSettingsLink } from '#src/account/qualification-link/qualification-settings-link.tsx'
import { Button } from '#src/ui/button.tsx'
import { Popover, usePopover } from '#src/ui/overlay/popover.tsx'

export function FitOrderStrip({ evidence, onLeave }: { evidence: FitEvidence; onLeave: () => void }) {
  const { buttonProps, popoverProps } = usePopover()
  return (
    <aside
      aria-label="เรียงตามเหมาะกับเรา"
      className="mb-2 flex flex-wrap items-center gap-x-2 gap-y-1 rounded-control border border-accent-line bg-accent-soft py-1 pr-1 pl-3 text-sm print:hidden"
    >
      <p className="flex min-w-0 flex-1 basis-60 items-start gap-1.5">
        <Target aria-hidden className="mt-0.5 size-4 shrink-0 text-accent-ink" />
        {evidence.is_ready ? (
          <span>
            <b className="font-semibold text-accent-ink">เรียงตามเหมาะกับเรา</b> เรียนจาก
            {listEvidenceTexts(evidence).join(' · ')}
          </span>
        ) : (
          <span>
            <b className="font-semibold">ยังเรียงตามเหมาะกับเราไม่ได้ จึงเรียงตามวันสิ้นสุดยื่น</b> ต้องมีงานที่ชนะ ตัดสินใจยื่น
            หรือติดดาวรวมอย่างน้อย {MIN_FIT_EXAMPLES} งาน ตอนนี้มี {evidence.won + evidence.bid + evidence.starred} งาน{' '}
            {!evidence.has_company && <CompanyHint />}
          </span>
        )}
      </p>
      <Button {...buttonProps} variant="link" size="sm">
        อธิบาย
      </Button>
      <Button size="sm" onClick={onLeave}>
        เรียงแบบเดิม
      </Button>
      <Popover
        {...popoverProps}
        label="เรียงตามเหมาะกับเราอย่างไร"
        focus="panel"
        className="w-88 max-w-[calc(100vw-2rem)] p-4"
      >
        <Explanation evidence={evidence} />
      </Popover>
    </aside>
  )
}

const listEvidenceTexts = ({ won, bid, starred, hidden, no_bid: noBid }: FitEvidence) =>
  [
    { count: won, text: 'งานที่ชนะ' },
    { count: bid, text: 'งานที่ทีมตัดสินใจยื่น' },
    { count: starred, text: 'งานที่คุณติดดาว' },
    { count: hidden, text: 'งานที่คุณซ่อน' },
    { count: noBid, text: 'งานที่ทีมไม่ยื่น' },
  ].flatMap(({ count, text }) => (count > 0 ? [`${text} ${formatCount(count)}`] : []))

function CompanyHint() {
  return (
    <>
      ถ้าบริษัทเคยชนะงานรัฐ ใส่เลขผู้เสียภาษีของบริษัทแล้วระบบจะนับงานเหล่านั้นด้วย <QualificationSettingsLink />
    </>
  )
}

function Explanation({ evidence }: { evidence: FitEvidence }) {
  return (
    <div className="space-y-2 text-sm">
      <p className="font-medium">เรียงตามเหมาะกับเราอย่างไร</p>
      <p>
        คะแนน 0–100 เทียบแต่ละงานกับงานที่บริษัทชนะ งานที่ทีมตัดสินใจยื่น และงานที่คุณติดดาว งานที่คุณซ่อนหรือทีมไม่ยื่นทำให้คะแนนลด
        คนอื่นในทีมไม่เห็นว่าคุณติดดาวหรือซ่อนอะไร
      </p>
      <ul className="list-disc space-y-1 pl-4">
        <li>คำในชื่อ และชื่อที่คล้ายงานเหล่านั้น</li>
        <li>หน่วยงานและจังหวัดที่เคยได้หรือเคยเลือก</li>
        <li>งบประมาณใกล้กับงานเหล่านั้น</li>
        <li>เหลือเวลายื่นไม่ถึง 2 วัน คะแนนลดเล็กน้อย</li>
      </ul>
      <p>
        {evidence.is_ready
          ? `ให้คะแนนเฉพาะงานที่เปิดรับข้อเสนอหรือกำลังจะมา ${formatCount(evidence.scored)} งาน งานอื่นตามหลังโดยล่าสุดก่อน`
          : 'ตอนนี้ยังไม่มีงานใดได้คะแนน'}{' '}
        การเรียงไม่ซ่อนงานใด
      </p>
      {!evidence.has_company && (
        <p>
          <CompanyHint />
        </p>
      )}
    </div>
  )
}
