import { useMutation, useQuery } from '@tanstack/react-query'
import { FileUp } from 'lucide-react'
import {
  formatReportCard,
  MAX_REPORT_CARD_FILE_BYTES,
  type ReportCard,
  type ReportCardImport,
} from '#contract/account/report-card.ts'
import { formatCount } from '#contract/thai/thai-number.ts'
import { deleteReportCard, importReportCards, reportCardsQuery } from '#src/account/api/report-cards.ts'
import { ActionButton } from '#src/account/form-refusal/action-button.tsx'
import { getErrorText } from '#src/lib/problem-error.ts'
import { useBangkokToday } from '#src/lib/use-server-time.ts'
import { Button } from '#src/ui/button.tsx'
import { FileChooser } from '#src/ui/form/file-chooser.tsx'
import { QueryView } from '#src/ui/query-view.tsx'
import { useCollapsedList } from '#src/ui/use-collapsed-list.tsx'

export function ReportCardSection() {
  const load = useMutation({
    mutationFn: (file: File) => {
      if (file.size > MAX_REPORT_CARD_FILE_BYTES) throw new RangeError('ไฟล์ใหญ่เกิน 500 kB แบ่งเป็นหลายไฟล์')
      return importReportCards(file)
    },
  })
  return (
    <div className="mt-4 space-y-3 border-t border-line pt-4">
      <p className="text-ink-muted">
        ไฟล์ CSV บรรทัดแรกเป็นหัวตาราง: เลขผู้เสียภาษี, ชื่อ, แต้ม, พักสิทธิถึง ใช้กับหน้าบริษัทและรายชื่อผู้ที่น่าจะยื่น ระบบไม่เก็บเลขของบุคคลธรรมดา
      </p>
      <FileChooser label="ไฟล์ CSV ของสมุดพก" accept=".csv,text/csv" onFiles={([file]) => file && load.mutate(file)}>
        {(open) => (
          <Button icon={FileUp} pending={load.isPending} onClick={open}>
            เพิ่มจากไฟล์ CSV
          </Button>
        )}
      </FileChooser>
      {load.error && (
        <p role="alert" className="text-sm text-urgent">
          {load.error instanceof RangeError ? load.error.message : getErrorText(load.error)}
        </p>
      )}
      {load.data && <ImportResult result={load.data} />}
      <StoredCards />
    </div>
  )
}

function ImportResult({ result: { saved, unchanged, problems } }: { result: ReportCardImport }) {
  const { visibleItems, moreButton } = useCollapsedList(problems, 'บรรทัด')
  return (
    <div role="status" className="text-sm">
      <p className="font-medium">
        บันทึก {formatCount(saved)} บริษัท · เหมือนเดิม {formatCount(unchanged)} · ใช้ไม่ได้ {formatCount(problems.length)} บรรทัด
      </p>
      <ul className="mt-1 list-disc pl-5 text-urgent">
        {visibleItems.map(({ line, reason }) => (
          <li key={line}>
            บรรทัดที่ {line}: {reason}
          </li>
        ))}
      </ul>
      {moreButton}
    </div>
  )
}

function StoredCards() {
  const cards = useQuery(reportCardsQuery)
  const { visibleItems, moreButton } = useCollapsedList(cards.data ?? [], 'บริษัท')
  return (
    <QueryView
      query={cards}
      task="โหลดสมุดพก"
      bars={['h-5', 'h-5']}
      isEmpty={(list) => list.length === 0}
      empty={<p className="text-sm text-ink-muted">ยังไม่มีสมุดพกของบริษัทใด</p>}
    >
      {() => (
        <>
          <ul className="divide-y divide-line">
            {visibleItems.map((card) => (
              <CardRow key={card.tax_id} card={card} />
            ))}
          </ul>
          {moreButton}
        </>
      )}
    </QueryView>
  )
}

function CardRow({ card }: { card: ReportCard }) {
  const today = useBangkokToday()
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1 py-1.5 text-sm">
      <span className="min-w-0 flex-1 basis-48">
        {card.name} <span className="text-ink-faint tabular-nums">{card.tax_id}</span>
      </span>
      <span className="text-ink-muted">{formatReportCard(card, today)}</span>
      <ActionButton
        size="sm"
        aria-label={`ลบสมุดพกของ ${card.name}`}
        run={() => deleteReportCard(card.tax_id)}
        failed="ลบสมุดพกไม่สำเร็จ"
      >
        ลบ
      </ActionButton>
    </li>
  )
}
