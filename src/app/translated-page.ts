/**
 * Page translators (Chrome, Edge) replace each text node with `<font>` elements. React does not notice: it writes new figures into text nodes
 * that are no longer on the page, and throws when it removes one or inserts before it (https://github.com/facebook/react/issues/11538).
 * This module records which element replaced which text nodes and restores those as soon as React touches one of them. The translator then
 * sees new text and translates it again.
 */

/** Text nodes by the element that replaced them, in document order. */
const replacedTexts = new WeakMap<Node, readonly Text[]>()
/** The element that replaced a text node. */
const standIns = new WeakMap<Node, Node>()

const isText = (node: Node): node is Text => node.nodeType === Node.TEXT_NODE
const isFont = (node: Node) => node.nodeName === 'FONT'

const writes = new MutationObserver((records) => {
  for (const { target } of records) restore(target)
})

/** Restores `node` and the other text nodes that the same element replaced; a no-op for nodes that are not replaced. */
function restore(node: Node): void {
  const standIn = standIns.get(node)
  if (!standIn) return
  const texts = replacedTexts.get(standIn) ?? []
  replacedTexts.delete(standIn)
  for (const text of texts) standIns.delete(text)
  if (standIn.parentNode) (standIn as ChildNode).replaceWith(...texts)
}

function recordStandIn(texts: readonly Text[], standIn: Node): void {
  patchNodeOnce()
  for (const text of texts) {
    standIns.set(text, standIn)
    writes.observe(text, { characterData: true })
  }
  replacedTexts.set(standIn, [...(replacedTexts.get(standIn) ?? []), ...texts])
}

/**
 * Detects replaced text nodes, in one record (`replaceWith`) or as adjacent insertion and removal. Choosing another
 * language replaces the stand-in with a new one; the original language replaces it with text.
 */
function followTranslation(records: readonly MutationRecord[]): void {
  const insertedFonts = new Set<Node>()
  for (const { addedNodes, removedNodes, previousSibling, nextSibling } of records) {
    for (const node of addedNodes) {
      if (isFont(node)) insertedFonts.add(node)
      restore(node)
    }
    for (const node of removedNodes) {
      const earlier = replacedTexts.get(node)
      if (!earlier && (!isText(node) || node.isConnected)) continue
      const standIn =
        [...addedNodes].find((added) => isFont(added) || (earlier && isText(added))) ??
        [previousSibling, nextSibling].find((sibling) => sibling && insertedFonts.has(sibling))
      if (!standIn) continue
      replacedTexts.delete(node)
      recordStandIn(earlier ?? [node as Text], standIn)
    }
  }
}

let isPatched = false

/** Patches Node on the first translated text, so that untranslated pages use the native methods. */
function patchNodeOnce(): void {
  if (isPatched) return
  isPatched = true
  const { removeChild, insertBefore } = Node.prototype
  Node.prototype.removeChild = function <T extends Node>(this: Node, child: T): T {
    restore(child)
    // A translator may have moved the node or removed it without a replacement.
    if (child.parentNode) removeChild.call(child.parentNode, child)
    return child
  }
  Node.prototype.insertBefore = function <T extends Node>(this: Node, node: T, before: Node | null): T {
    if (before) restore(before)
    let at = before
    while (at && at.parentNode !== this) at = at.parentNode
    return insertBefore.call(this, node, at) as T
  }
}

export function supportTranslatedPages(): void {
  new MutationObserver(followTranslation).observe(document.documentElement, { childList: true, subtree: true })
}
