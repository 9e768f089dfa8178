import { Link } from '@tanstack/react-router'
import { Pencil, Trash2 } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { IMPACT_DAYS } from '#contract/keyword-impact.ts'
import type { Keyword, KeywordList } from '#contract/organisation.ts'
import { echoSearch } from '#contract/search-echo.ts'
import { parseSearchExpression } from '#contract/search-grammar.ts'
import { countText } from '#src/lib/money-text.ts'
import { thaiInstant } from '#src/lib/thai-day.ts'
import { Button } from '#src/ui/button.tsx'
import { EditWordForm } from './edit-word-form.tsx'
import { GroupField } from './group-field.tsx'
import { regroupKeywords } from './keyword-changes.ts'
import { lookOf } from './list-looks.ts'
import { MarkedExpression } from './marked-expression.tsx'
import type { WatchTools, WordFigures } from './watch-tools.ts'

type KeywordDetailsProps = {
  list: KeywordList
  keyword: Keyword
  tools: WatchTools
  onDelete: () => void
}

/** All about one word: what it finds, who added it, its group; to be edited or deleted. */
export function KeywordDetails({ list, keyword, tools, onDelete }: KeywordDetailsProps) {
  const [isEditing, setEditing] = useState(false)
  const { isExclusion } = lookOf(list)
  const isExpression = list === 'include' || list === 'exclude'
  const parsed = isExpression ? parseSearchExpression(keyword.word) : undefined
  const figures = tools.figures?.get(keyword.id)
  if (isEditing) {
    return (
      <EditWordForm
        list={list}
        keyword={keyword}
        existing={tools.organisation[list]}
        onDone={() => setEditing(false)}
      />
    )
  }
  return (
    <div className="space-y-3 p-4 text-sm">
      <div>
        <p className="text-md font-semibold wrap-anywhere">
          {isExpression ? <MarkedExpression word={keyword.word} /> : keyword.word}
        </p>
        {parsed?.ok && parsed.node.kind !== 'term' && <p className="text-ink-muted">{echoSearch(parsed.node)}</p>}
      </div>
      {!keyword.approved && (
        <p className="rounded-control border border-updated-line bg-updated-soft px-3 py-2 text-updated">
          รอตรวจ: คำนี้กว้างหรือต้องให้ทีมงานตรวจก่อน ยังไม่ใช้จับคู่โครงการจนกว่าจะผ่าน
        </p>
      )}
      <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1">
        {figures && <Figures figures={figures} isExclusion={isExclusion} />}
        <Fact name="เพิ่มเมื่อ">{thaiInstant(keyword.added_at)}</Fact>
        <Fact name="โดย">{keyword.added_by ?? 'มากับการตั้งค่าเริ่มต้น'}</Fact>
        {list !== 'deptsub_include' && (
          <Fact name="กลุ่ม">
            <GroupField
              label="กลุ่มของคำนี้"
              groups={tools.organisation.keyword_groups}
              value={{ group_id: keyword.group_id }}
              disabled={tools.isLocked}
              onChange={(choice) => void regroupKeywords(list, [keyword], choice)}
            />
          </Fact>
        )}
      </dl>
      <WordProjects list={list} word={keyword.word} />
      <div className="flex gap-2 border-t border-line pt-3">
        {list !== 'deptsub_include' && (
          <Button size="sm" icon={Pencil} disabled={tools.isLocked} onClick={() => setEditing(true)} data-autofocus>
            แก้คำ
          </Button>
        )}
        <Button size="sm" icon={Trash2} disabled={tools.isLocked} onClick={onDelete}>
          ลบ
        </Button>
      </div>
    </div>
  )
}

/** Where the projects of the word are. */
function WordProjects({ list, word }: { list: KeywordList; word: string }) {
  const look =
    'inline-flex min-h-6 items-center rounded-control font-medium text-accent-ink hover:underline touch:min-h-11'
  if (list === 'include')
    return (
      <Link to="/report" search={{ project_name__in: word }} className={look}>
        ดูในรายงาน
      </Link>
    )
  if (!lookOf(list).isExclusion) return null
  return (
    <Link to="/watch" search={{ tab: 'hidden', word }} className={look}>
      ดูโครงการที่ซ่อน
    </Link>
  )
}

function Figures({ figures: { hits, only }, isExclusion }: { figures: WordFigures; isExclusion: boolean }) {
  const verb = isExclusion ? 'ตัดออก' : 'พบ'
  return (
    <>
      <Fact name={`${verb}ใน ${IMPACT_DAYS} วัน`}>{countText(hits)} โครงการ</Fact>
      <Fact name={`${verb}เฉพาะคำนี้`}>
        {countText(only)} โครงการ{hits > 0 && ` (${Math.round((only / hits) * 100)} %)`}
      </Fact>
      <Fact name="ซ้ำกับคำอื่น">{countText(Math.max(0, hits - only))} โครงการ</Fact>
    </>
  )
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt className="text-ink-muted">{name}</dt>
      <dd className="min-w-0 tabular-nums">{children}</dd>
    </>
  )
}
