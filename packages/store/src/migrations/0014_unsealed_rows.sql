-- The next migration drops the columns that held personal data as they were. Rows in them would be lost, and
-- a dropped column stays readable in the files of the database: so there must be none.
ALTER TABLE users NO FORCE ROW LEVEL SECURITY;
--> statement-breakpoint
DO $$
BEGIN
  IF EXISTS (SELECT FROM public.users) THEN
    RAISE EXCEPTION 'This database holds users from before personal data was sealed, and this version cannot read them. Start with an empty database: give another one, or move the folder .data away.'
      USING ERRCODE = 'CB001';
  END IF;
END
$$;
--> statement-breakpoint
ALTER TABLE users FORCE ROW LEVEL SECURITY;
