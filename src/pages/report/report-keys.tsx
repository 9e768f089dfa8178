import { screenKeys } from '#src/features/shortcuts/screen-keys.ts'
import { ShortcutHelp } from '#src/features/shortcuts/shortcut-help.tsx'
import type { UsedReportTools } from './use-report-tools.ts'

/** The list of all shortcuts, with the screens that this user has. */
export function ReportKeys({ tools }: { tools: UsedReportTools }) {
  return <ShortcutHelp open onClose={tools.closeHelp} screens={screenKeys(tools.entries)} />
}
