-- online
-- Who won in the last days (`GET /company-winners`): of 1.4 million projects the 25,000 of a week, whichever organisation asks.
create index concurrently projects_by_award on projects ((coalesce(winner_announced_on, contract_signed_on)));
