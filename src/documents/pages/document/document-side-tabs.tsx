import { useId, useState } from 'react'
import type { ProjectDocument } from '#contract/documents/project-document.ts'
import {
  DocumentQuestionForm,
  useDocumentAnswerSettings,
} from '#src/documents/document-answers/document-question-form.tsx'
import { Tabs } from '#src/ui/tabs.tsx'
import { DocumentComparisonPane } from './document-comparison-pane.tsx'
import { DocumentRequirementsPane } from './document-requirements-pane.tsx'
import { DocumentFactsPane } from './side-panes.tsx'
import type { DocumentComparisonState } from './use-document-comparison.ts'
import type { DocumentPassage } from './use-document-reader.ts'

type SideTabsProps = {
  document: ProjectDocument
  comparison: DocumentComparisonState
  isComparing: boolean
  onCompare: (id: string | undefined) => void
  beginsWithRequirements: boolean
  passage: DocumentPassage | undefined
  onPassage: (passage: DocumentPassage) => void
}

export function DocumentSideTabs({
  document,
  comparison,
  isComparing,
  onCompare,
  beginsWithRequirements,
  passage,
  onPassage,
}: SideTabsProps) {
  const panel = useId()
  const [chosen, setChosen] = useState<'facts' | 'requirements' | 'answers'>(
    beginsWithRequirements ? 'requirements' : 'facts',
  )
  const tab = isComparing ? 'differences' : chosen
  const isAskable = useDocumentAnswerSettings() !== undefined
  const { before, data } = comparison
  const isDraft = before?.kind === 'draft' || before?.kind === 'tor'
  const differs = isDraft ? 'ต่างจากร่าง' : 'ต่างจากฉบับเดิม'
  const count = data && data.facts.length + data.total
  return (
    <>
      <Tabs
        label="ด้านข้างเอกสาร"
        panelId={panel}
        className="border-b border-line px-3"
        value={tab}
        onChange={(next) => {
          if (next !== 'differences') setChosen(next)
          onCompare(next === 'differences' ? (before?.id ?? 'auto') : undefined)
        }}
        items={[
          { value: 'facts', label: 'ข้อมูล', count: document.facts.length },
          { value: 'requirements', label: 'ข้อกำหนด' },
          { value: 'differences', label: differs, ...(count === undefined ? {} : { count }) },
          ...(isAskable ? [{ value: 'answers' as const, label: 'ถาม' }] : []),
        ]}
      />
      <div
        id={panel}
        role="tabpanel"
        aria-label={
          { facts: 'ข้อมูลจากเอกสาร', requirements: 'ข้อกำหนดของผู้ยื่น', differences: differs, answers: 'ถามเอกสาร' }[tab]
        }
      >
        {tab === 'requirements' ? (
          <DocumentRequirementsPane document={document} current={passage} onPassage={onPassage} />
        ) : tab === 'differences' ? (
          <DocumentComparisonPane comparison={comparison} onChoose={onCompare} />
        ) : tab === 'answers' ? (
          <div className="px-5 py-4">
            <DocumentQuestionForm
              projectId={document.project_id}
              open={{ id: document.id, show: ({ page, quote }) => onPassage({ page, sentence: quote }) }}
            />
          </div>
        ) : (
          <DocumentFactsPane document={document} current={passage} onFact={onPassage} />
        )}
      </div>
    </>
  )
}
