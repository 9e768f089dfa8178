-- More owners' names behind shop names are recognised, so stored names are checked once more.
update person_ids set swept_load = null, swept_at = null;
