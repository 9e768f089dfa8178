-- Weekly advice also offers terms that wanted projects have in common and the AI word does not match yet.
alter table term_advice add column kind text not null default 'remove' check (kind in ('remove', 'add')),
  -- wanted projects of the half year that the word misses and the term is in
  add column wanted int not null default 0,
  -- projects a month that the term would add to the word, and the share of them expected to be right
  add column monthly real not null default 0,
  add column likely_right real not null default 0;
