import { Link } from '@tanstack/react-router'
import { Link2, Table2 } from 'lucide-react'
import { formatAgencyUnit } from '#contract/catalogue/agency-name.ts'
import type { Agency } from '#contract/market/agency.ts'
import { parseAgencyUrlSegment, toAgencyUrlSegment } from '#src/lib/agency-url.ts'
import { protectTrailingPunctuation } from '#src/lib/link-repair.ts'
import { getAgencyExportFile } from '#src/market/api/agencies.ts'
import { FileDownloadButtons } from '#src/report/file-download/download-button.tsx'
import { buildBuyerFollowTargets, FollowButtons } from '#src/report/follow/follow-buttons.tsx'
import { Button, getButtonClasses } from '#src/ui/button.tsx'
import { ExpandableName } from '#src/ui/expandable-name.tsx'
import { Notice } from '#src/ui/notice.tsx'
import { copyWithToast } from '#src/ui/overlay/copy-with-toast.ts'
import { Skeleton } from '#src/ui/skeleton.tsx'
import { useAgencyUrlState } from './use-agency-url-state.ts'

/** Agency name and links. The heading element persists while the agency loads, because it may have the focus. */
export function AgencyHeader({ answer }: { answer: Agency | undefined }) {
  const { codeOrName } = useAgencyUrlState()
  return (
    <header className="flex flex-col gap-3">
      <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
        <div className="min-w-0 flex-1 basis-[28rem] max-md:basis-full">
          <h1 className="text-2xl font-semibold [overflow-wrap:anywhere] max-md:text-xl">
            <ExpandableName name={answer?.agency.text ?? parseAgencyUrlSegment(codeOrName)} />
          </h1>
          {answer ? <AgencyFacts agency={answer.agency} /> : <Skeleton className="appear-late mt-2 w-72 max-w-full" />}
        </div>
        {answer && <Actions text={answer.agency.text} />}
      </div>
      {answer && <SameNameNotice agency={answer.agency} />}
    </header>
  )
}

function AgencyFacts({ agency: { name, code, same_name, ministry, province } }: Pick<Agency, 'agency'>) {
  const facts = [
    code === null ? (same_name.length === 0 ? 'ไม่ทราบรหัสหน่วยงาน' : `${same_name.length} รหัส`) : `รหัสหน่วยงาน ${code}`,
    ministry,
    province && `จังหวัด${province}`.replace('จังหวัดกรุงเทพ', 'กรุงเทพ'),
  ]
  return (
    <div className="mt-1 flex flex-wrap items-center gap-x-3 gap-y-1 text-ink-muted tabular-nums">
      <span>{facts.filter(Boolean).join(' · ')}</span>
      <FollowButtons
        targets={buildBuyerFollowTargets({
          agency: name,
          unit: '',
          province: same_name.length === 0 ? null : province,
        })}
      />
    </div>
  )
}

/**
 * Explains which of several agencies with the same name the page shows, and links to the others, because projects
 * contain only the agency's name, not its code.
 */
function SameNameNotice({ agency: { code, name, text, same_name: all } }: Pick<Agency, 'agency'>) {
  const namesakes = all.filter((namesake) => namesake.code !== code || namesake.text !== text)
  if (namesakes.length === 0) return null
  const places = new Set(all.map((namesake) => namesake.text))
  return (
    <Notice>
      {places.size > 1
        ? text === name
          ? `ชื่อ “${name}” เป็นของ ${places.size} หน่วยงาน ตัวเลขในหน้านี้รวมทุกหน่วยงานชื่อนี้ เลือกดูทีละแห่ง: `
          : 'มีหน่วยงานอื่นชื่อเดียวกัน ตัวเลขในหน้านี้เป็นของแห่งที่อยู่ในจังหวัดนี้เท่านั้น ดูแห่งอื่น: '
        : 'ชื่อนี้มีหลายรหัส แต่ประกาศของ e-GP บอกแค่ชื่อ ตัวเลขในหน้านี้จึงรวมทุกรหัส: '}
      {namesakes.map((namesake, at) => (
        <span key={namesake.code ?? namesake.text}>
          {at > 0 && ' · '}
          <Link
            to="/agencies/$code"
            params={{ code: toAgencyUrlSegment(namesake) }}
            className="text-accent-ink underline-offset-4 hover:underline"
          >
            {[places.size > 1 && (namesake.province ?? 'ไม่ทราบจังหวัด'), namesake.code].filter(Boolean).join(' ')}
          </Link>
        </span>
      ))}
    </Notice>
  )
}

function Actions({ text }: { text: string }) {
  const { codeOrName, search } = useAgencyUrlState()
  const copy = () =>
    copyWithToast(protectTrailingPunctuation(window.location.href), 'คัดลอกลิงก์แล้ว', 'คัดลอกลิงก์ไม่สำเร็จ คัดลอกจากช่องที่อยู่แทน')
  return (
    <div className="flex flex-wrap items-center gap-2 print:hidden">
      <Button variant="quiet" icon={Link2} onClick={() => void copy()}>
        <span className="max-md:sr-only">คัดลอกลิงก์</span>
      </Button>
      <FileDownloadButtons file={getAgencyExportFile(codeOrName, search)} />
      <Link
        to="/report"
        search={{
          project_agency__in: {
            values: [search.unit === undefined ? text : formatAgencyUnit(text, search.unit)],
            negated: false,
          },
        }}
        title="โครงการของหน่วยงานนี้ในรายงานขององค์กร"
        className={getButtonClasses('secondary')}
      >
        <Table2 aria-hidden className="size-4 shrink-0" />
        ดูในรายงาน
      </Link>
    </div>
  )
}
