-- online
-- Search texts of earlier versions, as in 0123: also numbers grouped by other signs, and dashes with spaces in the compact form
-- (contract/thai/thai-text.ts). Each start rewrites them, so that the indexes contain only a few rows afterwards.
create index concurrently projects_stale_search_texts on projects (project_id) where (name_spaced ~ '[«»˝″‶“”„‟❝❞〝〞〟´ʹʻʼʽ‘’‚‛′‵‹›❛❜˗‐‑‒–—―⁃−➖⁄∕⧸˜∼〜×✕✖⨉⨯∅⌀ᴓº˚،٬]|(^|[^0-9,./])[1-9][0-9]{0,2}([,''][0-9]{3})+([^0-9,]|$)' or name_search ~ ' -|- ');
create index concurrently project_texts_stale_search_texts on project_texts (filters_id) where (winner_spaced ~ '[«»˝″‶“”„‟❝❞〝〞〟´ʹʻʼʽ‘’‚‛′‵‹›❛❜˗‐‑‒–—―⁃−➖⁄∕⧸˜∼〜×✕✖⨉⨯∅⌀ᴓº˚،٬]|(^|[^0-9,./])[1-9][0-9]{0,2}([,''][0-9]{3})+([^0-9,]|$)' or winner_search ~ ' -|- ');
