import { Link } from '@tanstack/react-router'
import { Building2, ClipboardPaste, type LucideIcon, Sparkles } from 'lucide-react'
import { type ReactNode, useEffect, useState } from 'react'
import type { KeywordListCode } from '#contract/account/organisation.ts'
import { toKeywordKey } from '#contract/matching/keyword.ts'
import type { KeywordStats } from '#contract/matching/keyword-impact.ts'
import { isDemoSession } from '#src/account/api/demo.ts'
import { DepartmentPicker } from '#src/catalogue/departments/department-picker.tsx'
import { getNamedElement } from '#src/lib/named-elements.ts'
import { useMediaQuery } from '#src/lib/use-media-query.ts'
import type { ChangeSearchFn } from '#src/lib/use-search-state.ts'
import { AddKeywordBox, isKeywordListDisabled } from '#src/matching/keywords/add/add-keyword-box.tsx'
import { KeywordListToolbar } from '#src/matching/keywords/add/keyword-list-toolbar.tsx'
import { excludeTerm, tryAddKeywords } from '#src/matching/keywords/keyword-changes.ts'
import {
  findKeywordListByCode,
  getKeywordListAppearance,
  getKeywordListUsage,
  KEYWORD_LIST_APPEARANCES,
} from '#src/matching/keywords/keyword-list-appearances.ts'
import { KeywordListCard } from '#src/matching/keywords/keyword-list-card.tsx'
import { SearchModeToggles } from '#src/matching/keywords/search-mode-toggles.tsx'
import { filterKeywords, useWatchLists } from '#src/matching/keywords/watch-list-tools.ts'
import { KeywordTermAdviceSection } from '#src/matching/term-advice/term-advice-section.tsx'
import { castToRoutePath } from '#src/shell/navigation/nav-link.tsx'
import { Card } from '#src/ui/card.tsx'
import { Modal } from '#src/ui/overlay/modal.tsx'
import { KeywordTrainingDialog } from './lesson/keyword-training-dialog.tsx'
import type { WatchSearch } from './watch-search.ts'

function DepartmentDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  const { organisation, isLocked } = useWatchLists()
  const words = organisation.deptsub_include
  const watched = new Set(words.map(({ word }) => toKeywordKey(word)))
  const add = async (names: string[]) => {
    const result = await tryAddKeywords(names.map((word) => ({ list: 'deptsub_include', entry: { word } })))
    // A refusal without an error, as in the demo, has already been reported.
    if (!result.ok && result.error !== undefined) throw result.error
    onClose()
  }
  return (
    <Modal open={open} onClose={onClose} title="เลือกหน่วยงานที่ติดตาม" className="sm:max-w-2xl!">
      <div className="px-4 pb-4">
        <DepartmentPicker
          watched={watched}
          remaining={isLocked ? 0 : getKeywordListUsage(organisation, 'deptsub_include').left}
          onAdd={add}
        />
      </div>
    </Modal>
  )
}

/** Minimum width at which the add box fits next to the lists, in rem so that text zoom counts. */
const WIDE_QUERY = '(min-width: 64rem)'

type RulesTabProps = {
  stats: KeywordStats | undefined
  hasWords: boolean
  search: WatchSearch
  change: ChangeSearchFn<WatchSearch>
}

export function WatchListRulesTab({ stats, hasWords, search, change }: RulesTabProps) {
  const { organisation, isLocked } = useWatchLists()
  const isWide = useMediaQuery(WIDE_QUERY)
  const [isPicking, setPicking] = useState(false)
  const [isBulk, setBulk] = useState(false)
  const [startWord, setStartWord] = useState<{ readonly word: string }>()
  const chosenList = findKeywordListByCode(search.list)
  const list = chosenList ?? 'include'
  const changeList = (to: KeywordListCode, mode?: 'replace') =>
    change({ list: getKeywordListAppearance(to).code }, mode)

  // Prefill the word from the link only once and remove it from the URL, so that Back and reload do not repeat it.
  const { word } = search
  useEffect(() => {
    if (word === undefined) return
    setStartWord({ word })
    setBulk(false)
    change({ word: undefined }, 'replace')
  }, [word, change])

  const [initialList] = useState(chosenList)
  const searchKey = toKeywordKey(search.q ?? '')

  const addTo = (to: KeywordListCode, bulk = false) => {
    setBulk(bulk)
    if (to === 'deptsub_include' && !bulk) setPicking(true)
    if (chosenList !== to && !(to === 'deptsub_include' && !bulk && !isWide))
      changeList(to, isWide ? 'replace' : undefined)
    if (isWide) focusBox()
  }
  const box = (
    <AddKeywordBox
      list={list}
      onListChange={(to) => changeList(to, 'replace')}
      startWord={startWord}
      isBulk={isBulk}
      onBulkChange={setBulk}
      onPickDepartments={() => setPicking(true)}
      onClose={isWide ? undefined : () => change({ list: undefined }, 'replace')}
    />
  )
  return (
    <div className="space-y-4">
      {organisation.ai_include.length > 0 && !isDemoSession() && (
        <KeywordTermAdviceSection
          isLocked={isLocked}
          exclude={(term) => excludeTerm(term, `เลิกใช้ “${term}” และเพิ่มในคำไม่รวมแล้ว`)}
        />
      )}
      <SearchModeToggles stats={stats?.switches} />
      {hasWords ? (
        <KeywordListToolbar
          filter={{ q: search.q ?? '', groupId: search.group }}
          onSearch={(q) => change({ q }, 'replace')}
          onGroup={(group) => change({ group })}
        />
      ) : (
        <EmptyWatchLists onPaste={() => addTo('include', true)} onPickDepartments={() => setPicking(true)} />
      )}
      <div className="grid items-start gap-4 lg:grid-cols-[minmax(0,1fr)_26rem]">
        <div className="space-y-4">
          {KEYWORD_LIST_APPEARANCES.map(({ list: cardList }) => (
            <KeywordListCard
              key={cardList}
              list={cardList}
              words={filterKeywords(
                organisation,
                cardList,
                (entry) =>
                  (searchKey === '' || toKeywordKey(entry.word).includes(searchKey)) &&
                  (search.group === undefined || entry.group_id === search.group),
              )}
              isFiltered={searchKey !== '' || search.group !== undefined}
              isTarget={isWide && cardList === list}
              scrollsIntoView={cardList === initialList}
              isOff={isKeywordListDisabled(cardList, organisation.customer_config)}
              onAdd={() => addTo(cardList)}
              onPaste={() => addTo(cardList, true)}
            />
          ))}
        </div>
        {isWide && (
          <Card
            as="section"
            aria-label="เพิ่มคำ"
            className="sticky top-[calc(var(--spacing-header)+1rem)] max-h-[calc(100dvh-var(--spacing-header)-2rem)] overflow-auto p-4"
          >
            {box}
          </Card>
        )}
      </div>
      {!isWide && (
        <Modal
          open={chosenList !== undefined}
          onClose={() => change({ list: undefined }, 'replace')}
          variant="sheet"
          title={`เพิ่มใน${getKeywordListAppearance(list).name}`}
        >
          <div className="px-4 pb-4">{box}</div>
        </Modal>
      )}
      {search.lesson !== undefined && !isDemoSession() && (
        <KeywordTrainingDialog
          key={search.lesson}
          keywordId={search.lesson}
          isLocked={isLocked}
          onClose={() => change({ lesson: undefined }, 'replace')}
        />
      )}
      <DepartmentDialog open={isPicking} onClose={() => setPicking(false)} />
    </div>
  )
}

/** Focuses the add box in the next frame, because it may not be rendered yet. */
function focusBox() {
  requestAnimationFrame(() => getNamedElement('addWord')?.focus())
}

type EmptyListsProps = { onPaste: () => void; onPickDepartments: () => void }

const ROW =
  'flex w-full items-start gap-3 rounded-card border border-line bg-surface p-4 text-left hover:bg-surface-muted disabled:opacity-50'

function EmptyWatchLists({ onPaste, onPickDepartments }: EmptyListsProps) {
  const { isLocked } = useWatchLists()
  return (
    <Card className="appear p-5">
      <h2 className="text-md font-semibold">ยังไม่มีคำหรือหน่วยงานที่ติดตาม</h2>
      <p className="text-ink-muted">รายงานจะว่างจนกว่าจะมีคำแรก เริ่มแบบไหนก็ได้ แก้ทีหลังได้ทุกอย่าง</p>
      <div className="mt-4 grid gap-3 sm:grid-cols-3">
        <Link to={castToRoutePath('/group-watch')} className={ROW}>
          <StarterText icon={Sparkles} title="เริ่มจากประเภทธุรกิจ">
            บอกว่าขายอะไร แล้วเลือกจากคำที่แนะนำ
          </StarterText>
        </Link>
        <button type="button" disabled={isLocked} onClick={onPaste} className={ROW}>
          <StarterText icon={ClipboardPaste} title="วางรายการคำ">
            มีคำอยู่แล้วใน Excel หรือโปรแกรมเดิม วางทีเดียวได้ทั้งหมด
          </StarterText>
        </button>
        <button type="button" disabled={isLocked} onClick={onPickDepartments} className={ROW}>
          <StarterText icon={Building2} title="เลือกหน่วยงาน">
            ติดตามทุกโครงการของหน่วยงานที่ขายประจำ
          </StarterText>
        </button>
      </div>
    </Card>
  )
}

function StarterText({ icon: Icon, title, children }: { icon: LucideIcon; title: string; children: ReactNode }) {
  return (
    <>
      <Icon aria-hidden className="mt-0.5 size-5 shrink-0 text-accent-ink" />
      <span>
        <span className="block font-medium">{title}</span>
        <span className="block text-sm text-ink-muted">{children}</span>
      </span>
    </>
  )
}
