import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { Columns3, ShieldAlert } from 'lucide-react'
import { isUnfinishedStageKind, type PursuitSettings } from '#contract/account/pursuit-settings.ts'
import { getBoardFilters } from '#contract/report/board-filters.ts'
import { REPORT_PARAMS, UNASSIGNED_FILTER_VALUE } from '#contract/report/report-params.ts'
import { BOARD_DUE_DAY_OPTIONS, BOARD_PARAMS, type BoardSearch, toBoardCardQuery } from '#contract/team/board.ts'
import type { PursuitList } from '#contract/team/pursuit.ts'
import { formatBahtCompact, formatCount } from '#contract/thai/thai-number.ts'
import { pursuitSettingsQuery } from '#src/account/api/pursuit-settings.ts'
import { useOptimisticQueryOptions } from '#src/api/optimistic-changes.ts'
import { DoubtfulAmountsNote } from '#src/catalogue/doubtful-amounts-note.tsx'
import { isForbiddenError } from '#src/lib/problem-error.ts'
import { setListValues } from '#src/lib/set-list-values.ts'
import { useMediaQuery } from '#src/lib/use-media-query.ts'
import { useSearchState } from '#src/lib/use-search-state.ts'
import { useBangkokToday } from '#src/lib/use-server-time.ts'
import { FiltersFromReport } from '#src/report/filter/filters-from-report.tsx'
import { IgnoredParamsNotice } from '#src/report/ignored-params/ignored-params-notice.tsx'
import { pursuitListQuery } from '#src/team/api/pursuits.ts'
import { TeamPageFrame } from '#src/team/page-frame/team-page-frame.tsx'
import { Button, getButtonClasses } from '#src/ui/button.tsx'
import { combineQueries } from '#src/ui/combine-queries.ts'
import { EmptyState } from '#src/ui/empty-state.tsx'
import { Listbox } from '#src/ui/form/listbox.tsx'
import { Notice } from '#src/ui/notice.tsx'
import { QueryView } from '#src/ui/query-view.tsx'
import { Tabs } from '#src/ui/tabs.tsx'
import { groupCardsIntoBoardColumns, sumPursuitCardBudgets } from './board-column-data.ts'
import { BoardColumns } from './board-columns.tsx'

const route = getRouteApi('/_app/board')

const useBoardUrlState = () => useSearchState<BoardSearch>(route.useSearch(), route.useNavigate())

export function BoardPage() {
  const { search, ignored, change } = useBoardUrlState()
  const list = useQuery(useOptimisticQueryOptions(pursuitListQuery(toBoardCardQuery(search))))
  const settings = useQuery(pursuitSettingsQuery)
  const board = combineQueries({ list, settings })
  const isForbidden = isForbiddenError(board.error)

  return (
    <TeamPageFrame
      title="บอร์ด"
      figures={list.data && settings.data && <OpenPursuits list={list.data} settings={settings.data} />}
      actions={settings.data && !isForbidden && <Filters {...settings.data} />}
    >
      {search.report && !isForbidden && (
        <FiltersFromReport filters={search.report} onChange={(report) => change({ report })} />
      )}
      <IgnoredParamsNotice params={[...BOARD_PARAMS, ...REPORT_PARAMS]} ignored={ignored} />
      <QueryView
        query={board}
        task="โหลดบอร์ด"
        notesStale
        barsClassName="flex gap-3 overflow-hidden"
        bars={Array(5).fill('h-96 min-w-56 flex-1')}
        forbidden={
          <EmptyState icon={ShieldAlert} title="บัญชีนี้ยังไม่มีบอร์ดของทีม">
            บอร์ดเป็นของทีมที่มีบัญชีจริงและเปิดส่วนรายงานโครงการ บัญชีทดลองใช้งานจึงไม่มี
          </EmptyState>
        }
        isEmpty={({ list: { total } }) => total === 0}
        empty={<EmptyBoard />}
      >
        {(data) => <Cards {...data} />}
      </QueryView>
    </TeamPageFrame>
  )
}

function OpenPursuits({ list, settings }: { list: PursuitList; settings: PursuitSettings }) {
  const openStages = settings.stages.filter(({ kind }) => isUnfinishedStageKind(kind)).map(({ id }) => id)
  const cards = list.results.filter(({ stage }) => openStages.includes(stage))
  const total = sumPursuitCardBudgets(cards)
  return (
    <>
      กำลังทำ {formatCount(cards.length)} งาน · งบรวม {formatBahtCompact(total.budget)} บาท
      <DoubtfulAmountsNote count={total.inDoubt} />
    </>
  )
}

function EmptyBoard() {
  const { search, change } = useBoardUrlState()
  if (search.owner !== undefined || search.due !== undefined || search.report !== undefined) {
    return (
      <EmptyState
        icon={Columns3}
        title="ไม่มีงานที่ตรงกับตัวกรองนี้"
        actions={
          <Button onClick={() => change({ owner: undefined, due: undefined, report: undefined })}>ล้างตัวกรอง</Button>
        }
      />
    )
  }
  return (
    <EmptyState
      icon={Columns3}
      title="ยังไม่มีงานบนบอร์ด"
      actions={
        <Link to="/report" className={getButtonClasses('primary')}>
          เพิ่มจากรายงาน
        </Link>
      }
    >
      เปิดโครงการแล้วเลือกขั้น ผู้ดูแล หรือตัดสินใจยื่น การ์ดจะขึ้นที่นี่ให้ทั้งทีมเห็น
    </EmptyState>
  )
}

const EVERYBODY = ''
const DUE_TEXTS = { any: 'ทุกกำหนดยื่น', 7: 'ยื่นภายใน 7 วัน', 14: 'ยื่นภายใน 14 วัน', 30: 'ยื่นภายใน 30 วัน' } as const

function Filters({ members, labels }: PursuitSettings) {
  const { search, change } = useBoardUrlState()
  const label = search.report?.team_label__in
  const marks = [
    { value: EVERYBODY, th: 'ทุกป้ายทีม' },
    ...labels.map(({ id, name }) => ({ value: id, th: name })),
    { value: UNASSIGNED_FILTER_VALUE, th: 'ไม่มีป้ายทีม' },
  ]
  const owners = [
    { value: EVERYBODY, th: 'ทุกคน' },
    { value: 'none', th: 'ไม่มีผู้ดูแล' },
    ...members.map(({ id, name }) => ({ value: String(id), th: name })),
  ]
  return (
    <div className="flex flex-wrap gap-2">
      <Listbox
        label="ผู้ดูแล"
        value={search.owner?.[0] ?? EVERYBODY}
        options={owners}
        onChange={(owner) => change({ owner: owner === EVERYBODY ? undefined : [owner] })}
        className="h-9 max-w-52 touch:h-11"
      />
      <Listbox
        label="กำหนดยื่น"
        value={search.due ?? 'any'}
        options={BOARD_DUE_DAY_OPTIONS.map((value) => ({ value, th: DUE_TEXTS[value] }))}
        onChange={(due) => change({ due: due === 'any' ? undefined : due })}
        className="h-9 touch:h-11"
      />
      {labels.length > 0 && (
        <Listbox
          label="ป้ายทีม"
          value={label && !label.negated && label.values.length === 1 ? label.values[0]! : EVERYBODY}
          options={marks}
          onChange={(id) => {
            const { team_label__in: _labels, ...otherFilters } = search.report ?? {}
            const chosen = id === EVERYBODY ? {} : { team_label__in: { values: [id], negated: false } }
            change({ report: getBoardFilters({ ...otherFilters, ...chosen }) })
          }}
          className="h-9 max-w-52 touch:h-11"
        />
      )}
    </div>
  )
}

function Cards({ list, settings }: { list: PursuitList; settings: PursuitSettings }) {
  const { search, change } = useBoardUrlState()
  const isPhone = useMediaQuery('(max-width: 767px)')
  const today = useBangkokToday()
  const { fold: toggled = [] } = search
  const columns = groupCardsIntoBoardColumns(settings.stages, list.results, toggled)
  const onFold = (stage: string) =>
    change({ fold: setListValues(toggled, [stage], !toggled.includes(stage)) }, 'replace')
  const onColumn = (stage: string) => change({ stage }, 'replace')
  const stage = settings.stages.some(({ id }) => id === search.stage) ? search.stage : settings.stages[0]?.id
  return (
    <>
      {list.total > list.results.length && (
        <Notice role="status" warns>
          แสดง {formatCount(list.results.length)} งานที่แก้ล่าสุดจาก {formatCount(list.total)} งาน
          เลือกผู้ดูแลหรือกำหนดยื่นเพื่อดูงานอื่น
        </Notice>
      )}
      {isPhone && (
        <Tabs
          label="ขั้น"
          items={columns.map(({ stage: { id, name }, cards }) => ({ value: id, label: name, count: cards.length }))}
          value={stage}
          onChange={onColumn}
          className="-mx-4 border-b border-line px-4"
        />
      )}
      <BoardColumns
        columns={columns}
        settings={settings}
        today={today}
        isPhone={isPhone}
        onFold={onFold}
        onColumn={onColumn}
        stage={stage}
      />
    </>
  )
}
