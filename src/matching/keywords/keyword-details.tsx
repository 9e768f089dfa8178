import { Link } from '@tanstack/react-router'
import { Pencil, Trash2 } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { useController } from 'react-hook-form'
import type { Keyword, KeywordListCode } from '#contract/account/organisation.ts'
import { parseDocumentKeyword } from '#contract/matching/document-keyword.ts'
import { MAX_KEYWORD_LENGTH } from '#contract/matching/keyword.ts'
import { KEYWORD_IMPACT_DAYS } from '#contract/matching/keyword-impact.ts'
import { describeSearchNode } from '#contract/search/describe-search-node.ts'
import { parseSearchExpression } from '#contract/search/search-grammar.ts'
import { formatCount } from '#contract/thai/thai-number.ts'
import { useSchemaForm } from '#src/account/form-refusal/schema-form.tsx'
import { formatThaiDateTime } from '#src/lib/thai-date-time.ts'
import { useKeywordPreview } from '#src/matching/api/keyword-impact.ts'
import { Button } from '#src/ui/button.tsx'
import { createEntryKeyHandler } from '#src/ui/form/entry-key-handler.ts'
import { Switch } from '#src/ui/form/switch.tsx'
import { TextArea } from '#src/ui/form/text-area.tsx'
import { checkKeywordDraft } from './add/check-keyword-draft.ts'
import { HighlightedKeywordExpression } from './add/highlighted-expression.tsx'
import { KeywordGroupField } from './add/keyword-group-field.tsx'
import { changeKeywordText, moveKeywordsToGroup, setKeywordDocumentSearch } from './keyword-changes.ts'
import { getKeywordListAppearance } from './keyword-list-appearances.ts'
import { type KeywordMatchCounts, useWatchLists } from './watch-list-tools.ts'

type EditWordFormProps = {
  list: KeywordListCode
  keyword: Keyword
  onDone: () => void
}

function EditWordForm({ list, keyword, onDone }: EditWordFormProps) {
  const otherKeywords = useWatchLists().organisation[list].filter(({ id }) => id !== keyword.id)
  const checkDraft = (text: string) => checkKeywordDraft(list, text, otherKeywords)
  const form = useSchemaForm({ defaultValues: { word: keyword.word } }, async (values: { word: string }) => {
    const word = values.word.trim()
    if (word !== keyword.word && !(await changeKeywordText(list, keyword, word)).ok) return
    onDone()
  })
  const { submit } = form
  const { field } = useController({
    control: form.control,
    name: 'word',
    rules: { validate: (text) => checkDraft(text).state === 'good' },
  })
  const { isSubmitted } = form.formState
  const check = checkDraft(field.value)
  const problem =
    check.state === 'wrong' ? check.text : isSubmitted && check.state === 'empty' ? 'พิมพ์คำก่อน หรือกดยกเลิก' : undefined
  return (
    <form onSubmit={submit} className="space-y-2 p-4">
      <label className="block text-sm font-medium" htmlFor="edit-word">
        แก้คำ
      </label>
      <TextArea
        id="edit-word"
        {...field}
        autoFocus
        rows={2}
        spellCheck={false}
        maxLength={MAX_KEYWORD_LENGTH}
        aria-invalid={problem ? true : undefined}
        aria-describedby="edit-word-note"
        onChange={(event) => field.onChange(event.currentTarget.value.replace(/(?<!\s)\s*\n\s*/g, ' '))}
        onKeyDown={createEntryKeyHandler({ onEnter: submit, onEscape: onDone })}
      />
      <p id="edit-word-note" role="status" className={problem ? 'text-sm text-urgent' : 'text-sm text-ink-muted'}>
        {problem ?? (check.state === 'good' ? check.echo : undefined)}
      </p>
      <div className="flex gap-2">
        <Button variant="primary" size="sm" type="submit">
          บันทึก
        </Button>
        <Button variant="quiet" size="sm" onClick={onDone}>
          ยกเลิก
        </Button>
      </div>
    </form>
  )
}

type KeywordDetailsProps = {
  list: KeywordListCode
  keyword: Keyword
  onDelete: () => void
}

export function KeywordDetails({ list, keyword, onDelete }: KeywordDetailsProps) {
  const { figures: allFigures, isLocked } = useWatchLists()
  const [isEditing, setEditing] = useState(false)
  const { isExclusion } = getKeywordListAppearance(list)
  const isExpression = list === 'include' || list === 'exclude'
  const parsed = isExpression ? parseSearchExpression(keyword.word) : undefined
  const figures = allFigures?.get(keyword.id)
  if (isEditing) {
    return <EditWordForm list={list} keyword={keyword} onDone={() => setEditing(false)} />
  }
  return (
    <div className="space-y-3 p-4 text-sm">
      <div>
        <p className="text-md font-semibold wrap-anywhere">
          {isExpression ? <HighlightedKeywordExpression word={keyword.word} /> : keyword.word}
        </p>
        {parsed?.ok && parsed.node.kind !== 'term' && (
          <p className="text-ink-muted">{describeSearchNode(parsed.node)}</p>
        )}
      </div>
      {!keyword.approved && (
        <p className="rounded-control border border-updated-line bg-updated-soft px-3 py-2 text-updated">
          รอตรวจ: คำนี้กว้างหรือต้องให้ทีมงานตรวจก่อน ยังไม่ใช้จับคู่โครงการจนกว่าจะผ่าน
        </p>
      )}
      <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1">
        {figures && <Figures figures={figures} isExclusion={isExclusion} />}
        <Fact name="เพิ่มเมื่อ">{formatThaiDateTime(keyword.added_at)}</Fact>
        <Fact name="โดย">{keyword.added_by ?? 'มากับการตั้งค่าเริ่มต้น'}</Fact>
        {list !== 'deptsub_include' && (
          <Fact name="กลุ่ม">
            <KeywordGroupField
              label="กลุ่มของคำนี้"
              value={{ group_id: keyword.group_id }}
              disabled={isLocked}
              onChange={(choice) => void moveKeywordsToGroup(list, [keyword], choice)}
            />
          </Fact>
        )}
      </dl>
      {list === 'include' && keyword.id > 0 && (
        <KeywordDocumentSearchSwitch keyword={keyword} inDocuments={figures && (figures.in_documents ?? 0)} />
      )}
      <WordProjects list={list} word={keyword.word} />
      <div className="flex gap-2 border-t border-line pt-3">
        {list !== 'deptsub_include' && (
          <Button size="sm" icon={Pencil} disabled={isLocked} onClick={() => setEditing(true)} data-autofocus>
            แก้คำ
          </Button>
        )}
        <Button size="sm" icon={Trash2} disabled={isLocked} onClick={onDelete}>
          ลบ
        </Button>
      </div>
    </div>
  )
}

function WordProjects({ list, word }: { list: KeywordListCode; word: string }) {
  const look =
    'inline-flex min-h-6 items-center rounded-control font-medium text-accent-ink hover:underline touch:min-h-11'
  if (list === 'include')
    return (
      <Link to="/report" search={{ project_name__in: word }} className={look}>
        ดูในรายงาน
      </Link>
    )
  if (!getKeywordListAppearance(list).isExclusion) return null
  return (
    <Link to="/watch" search={{ tab: 'hidden', word }} className={look}>
      ดูโครงการที่ซ่อน
    </Link>
  )
}

function Figures({ figures: { hits, only }, isExclusion }: { figures: KeywordMatchCounts; isExclusion: boolean }) {
  const verb = isExclusion ? 'ตัดออก' : 'พบ'
  return (
    <>
      <Fact name={`${verb}ใน ${KEYWORD_IMPACT_DAYS} วัน`}>{formatCount(hits)} โครงการ</Fact>
      <Fact name={`${verb}เฉพาะคำนี้`}>
        {formatCount(only)} โครงการ{hits > 0 && ` (${Math.round((only / hits) * 100)} %)`}
      </Fact>
      <Fact name="ซ้ำกับคำอื่น">{formatCount(Math.max(0, hits - only))} โครงการ</Fact>
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

type DocumentSwitchProps = {
  keyword: Keyword
  /** Number of projects of the last 30 days that the word matches only in a document; undefined until loaded. */
  inDocuments: number | undefined
}

/** Switch for searching documents for a word (decision 0120). Shows the actual or expected effect. */
function KeywordDocumentSearchSwitch({ keyword, inDocuments }: DocumentSwitchProps) {
  const { isLocked } = useWatchLists()
  const isOn = keyword.in_documents === true
  const parsed = parseDocumentKeyword(keyword.word)
  const preview = useKeywordPreview({ add: {}, in_documents: [keyword.id] }, { enabled: !isOn && parsed.ok })
  return (
    <div className="border-t border-line pt-1">
      <Switch
        checked={isOn}
        onChange={(on) => void setKeywordDocumentSearch(keyword, on)}
        label="ค้นในเอกสารด้วย"
        disabled={isLocked || (!isOn && !parsed.ok)}
      >
        {!parsed.ok ? parsed.text : 'ค้นในประกาศเชิญชวนที่ e-GP เผยแพร่ ย้อนหลัง 90 วัน'}
      </Switch>
      <p role="status" className="text-ink-muted">
        {isOn
          ? inDocuments !== undefined && `เพิ่มจากเอกสาร ${formatCount(inDocuments)} โครงการใน ${KEYWORD_IMPACT_DAYS} วัน`
          : preview.data &&
            parsed.ok &&
            (preview.data.added === 0
              ? `ถ้าเปิด ยังไม่มีโครงการเพิ่มใน ${KEYWORD_IMPACT_DAYS} วัน`
              : `ถ้าเปิด จะเพิ่ม ${formatCount(preview.data.added)} โครงการใน ${KEYWORD_IMPACT_DAYS} วัน`)}
      </p>
    </div>
  )
}
