import { useEffect } from 'react'
import { lazyPart } from '#src/lib/lazy-part.ts'
import { Part } from '#src/ui/part.tsx'
import { closeLabelPanel, useLabelPanel } from './label-panel.ts'
import { loadLabelPanels } from './load-label-panels.ts'

const LabelPanels = lazyPart(loadLabelPanels, 'LabelPanels')

/** Where the label picker and the list of labels are drawn; stands once on a page that uses them. */
export function LabelHost() {
  const panel = useLabelPanel()
  useEffect(() => closeLabelPanel, [])
  return <Part>{panel && <LabelPanels panel={panel} />}</Part>
}
