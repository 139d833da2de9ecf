import { oneOf } from "../../test/runs.ts";
import { publicStories } from "./public.ts";
import { storiesAreTold } from "./suite.ts";

storiesAreTold("stories-public", oneOf(2, publicStories), []);
