import { useEffect } from 'react'
import { lazyComponent } from '#src/lib/lazy-component.ts'
import { LazyBoundary } from '#src/ui/lazy-boundary.tsx'
import { closeLabelPanel, useLabelPanel } from './label-panel.ts'
import { loadLabelPanels } from './load-label-panels.ts'

const LabelPanels = lazyComponent(loadLabelPanels, 'LabelPanels')

/** Where the label picker and the list of labels are drawn; stands once on a page that uses them. */
export function LabelHost() {
  const panel = useLabelPanel()
  useEffect(() => closeLabelPanel, [])
  return <LazyBoundary>{panel && <LabelPanels panel={panel} />}</LazyBoundary>
}
