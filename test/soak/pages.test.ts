import { heavyPages, hostilePages } from "../hostile/pages.ts";
import { pagesAreSurvived } from "../hostile/survived.ts";

pagesAreSurvived(hostilePages, { pages: heavyPages, visits: 5 });
