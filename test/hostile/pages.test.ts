import { worstPages } from "./pages.ts";
import { pagesAreSurvived } from "./survived.ts";

pagesAreSurvived(worstPages, { pages: [], visits: 0 });
