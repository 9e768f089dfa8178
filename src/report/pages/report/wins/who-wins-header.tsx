import { useNavigate } from '@tanstack/react-router'
import { BookmarkPlus, MessageCircle, Printer } from 'lucide-react'
import { useState } from 'react'
import { formatIgnoredBidStatesNotice, formatSavedQuestion, type WhoWins } from '#contract/market/who-wins.ts'
import type { ReportSearch } from '#contract/report/report-params.ts'
import { formatCount } from '#contract/thai/thai-number.ts'
import { isDemoSession } from '#src/account/api/demo.ts'
import { useUser } from '#src/account/api/users.ts'
import { downloadFile } from '#src/api/http/file-download.ts'
import { DoubtfulAmountsNote } from '#src/catalogue/doubtful-amounts-note.tsx'
import type { ChangeReportSearchFn } from '#src/lib/report-change.ts'
import { parseReportUrlSearch } from '#src/lib/report-url.ts'
import { formatThaiDateTime } from '#src/lib/thai-date-time.ts'
import { getWhoWinsExportFile } from '#src/market/api/who-wins.ts'
import { SavedQuestions } from '#src/market/saved-questions/saved-questions.tsx'
import { AllOrOwnProjectsSwitch } from '#src/market/statistics-scope/all-or-own-projects-switch.tsx'
import { StatisticsCoverageBadge } from '#src/market/statistics-scope/statistics-coverage-badge.tsx'
import { DownloadButton } from '#src/report/file-download/download-button.tsx'
import { Button } from '#src/ui/button.tsx'
import { copyWithToast } from '#src/ui/overlay/copy-with-toast.ts'
import { preloadModal } from '#src/ui/overlay/modal.tsx'
import { buildWhoWinsLineMessage } from './who-wins-text.ts'

type WinHeadProps = {
  search: ReportSearch
  change: ChangeReportSearchFn
  answer: WhoWins | undefined
}

export function WhoWinsHeader({ search, change, answer }: WinHeadProps) {
  const user = useUser()
  const navigate = useNavigate()
  const [isKeeping, setKeeping] = useState(false)
  const unused = formatIgnoredBidStatesNotice(search)
  const copy = (wins: WhoWins): Promise<void> => {
    const text = buildWhoWinsLineMessage(wins, {
      question: formatSavedQuestion(search, user.project_labels),
      address: window.location.href,
    })
    return copyWithToast(text, 'คัดลอกสี่บรรทัดแล้ว วางใน LINE ได้เลย', 'คัดลอกไม่ได้ เบราว์เซอร์ไม่อนุญาตให้ใช้คลิปบอร์ด', {
      retry: () => void copy(wins),
    })
  }
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-2 print:hidden">
      <AllOrOwnProjectsSwitch
        universe={search.market ? 'all' : 'watch'}
        onChange={(universe) => change({ market: universe === 'all' ? true : undefined, rows: undefined })}
      />
      <p role="status" className="min-w-0 flex-1 basis-60 text-xs text-ink-muted tabular-nums max-md:min-h-14">
        {answer && (
          <>
            รู้ผล <b className="font-semibold text-ink">{formatCount(answer.decided)}</b> จาก{' '}
            {formatCount(answer.projects)} โครงการในตัวกรองนี้ รวมงานที่ส่งมอบแล้ว
            {answer.scope.computed_at !== null && ` · ข้อมูล ณ ${formatThaiDateTime(answer.scope.computed_at)}`}
            <DoubtfulAmountsNote count={answer.scope.amounts_in_doubt} />{' '}
            <StatisticsCoverageBadge coverage={answer.scope.coverage} />
          </>
        )}
        {unused && <span className="block">{unused}</span>}
      </p>
      <div className="flex flex-wrap items-center gap-1">
        <Button
          variant="quiet"
          size="sm"
          icon={BookmarkPlus}
          onPointerEnter={preloadModal}
          onClick={() => setKeeping(true)}
        >
          คำถามที่บันทึก
        </Button>
        <Button
          variant="quiet"
          size="sm"
          icon={MessageCircle}
          disabled={!answer}
          onClick={() => answer && void copy(answer)}
        >
          คัดลอกไป LINE
        </Button>
        <Button variant="quiet" size="sm" icon={Printer} disabled={!answer} onClick={() => window.print()}>
          พิมพ์หน้าเดียว
        </Button>
        {!isDemoSession() && (
          <DownloadButton
            stem="who-wins-"
            save={(name, tell, signal) =>
              downloadFile({ ...getWhoWinsExportFile(search), name, onProgress: tell, signal })
            }
          />
        )}
      </div>
      {isKeeping && (
        <SavedQuestions
          search={search}
          onClose={() => setKeeping(false)}
          onOpen={(address) => {
            setKeeping(false)
            void navigate({
              to: '/report',
              search: { ...parseReportUrlSearch(address), view: 'who_wins' },
              resetScroll: false,
            })
          }}
        />
      )}
    </div>
  )
}
