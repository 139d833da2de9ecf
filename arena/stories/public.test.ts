import { publicStories } from "./public.ts";
import { storiesAreTold } from "./suite.ts";

storiesAreTold(publicStories, false);
