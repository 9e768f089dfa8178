-- online
-- Search texts as versions before wrote them: with typographic signs, or commas between thousands (contract/thai/thai-text.ts). Both versions write
-- during a rolling upgrade. Empty but for a few rows once a start has renewed them, so that each start finds what is left without reading all titles.
create index concurrently projects_stale_forms on projects (project_id) where name_spaced ~ '[«»˝″‶“”„‟❝❞〝〞〟´ʹʻʼʽ‘’‚‛′‵‹›❛❜˗‐‑‒–—―⁃−➖⁄∕⧸˜∼〜×✕✖⨉⨯∅⌀ᴓº˚]|(^|[^0-9,./])[1-9][0-9]{0,2}(,[0-9]{3})+([^0-9,]|$)';
create index concurrently project_texts_stale_forms on project_texts (filters_id) where winner_spaced ~ '[«»˝″‶“”„‟❝❞〝〞〟´ʹʻʼʽ‘’‚‛′‵‹›❛❜˗‐‑‒–—―⁃−➖⁄∕⧸˜∼〜×✕✖⨉⨯∅⌀ᴓº˚]|(^|[^0-9,./])[1-9][0-9]{0,2}(,[0-9]{3})+([^0-9,]|$)';
