import { useOrganisation } from '#src/api/keyword/organisations.ts'
import { ExcludeWordDialog, type ExcludeWordProps } from '#src/features/exclude-word/exclude-word-dialog.tsx'
import { PreviewPanel } from '#src/features/keyword-impact/preview-panel.tsx'
import { useListsLocked } from '#src/features/keywords/list-lock.ts'
import { problemText } from '#src/features/keywords/problem-words.ts'

/** An exclusion word for a project, with what the watch lists say of it. */
export function ExcludeDialog(props: ExcludeWordProps) {
  const { customer_config } = useOrganisation()
  return (
    <ExcludeWordDialog
      {...props}
      isLocked={useListsLocked(customer_config)}
      problemText={problemText}
      preview={(word) => <PreviewPanel draft={{ list: 'exclude', word }} excluded={[]} onExcluded={() => undefined} />}
    />
  )
}
